// Contacts of bodies' particles with other solids, at most one per particle.
//!include shared/touch

// contact_other has the indices of the own solid and of the other one, the nearest particle of another free body, and 1 if there is
// one, else 0. NONE: no contact, or no particle.
const NONE = 0xffffffffu;
