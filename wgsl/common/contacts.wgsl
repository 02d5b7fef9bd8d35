// Contacts of bodies' particles with other solids, one to a particle at most.
//!include shared/touch

// contact_other has the numbers of the own solid and of the other one, and the particle of the other
// that passes on the reaction; and 1 where other free bodies are near, else 0. NONE: no contact, or a solid that forces do not move.
const NONE = 0xffffffffu;
// Particles that may touch another solid through the same one of its particles.
const MOST_TOUCHES = 8u;
