// Contacts of bodies' particles with other solids, at most one per particle.
//!include shared/touch

// contact_other has the indices of the own solid and of the other one, the particle of the other
// that transmits the reaction, and 1 if other free bodies are near, else 0. NONE: no contact, or a
// solid that forces do not move.
const NONE = 0xffffffffu;
// Largest number of particles that may touch another solid through the same one of its particles.
const MOST_TOUCHES = 8u;
