// Classes of particles by the free surface (tension/class), and the limits of λ between them (Marrone et al. 2010).
const CLASS_INSIDE = 0u;
const CLASS_SURFACE = 2u;
const CLASS_SPLASH = 3u;

// Largest λ of particles that may be at the surface.
const LAMBDA_INSIDE = 0.75;
// λ below which too few neighbours are left for a surface.
const LAMBDA_SPLASH = 0.2;
