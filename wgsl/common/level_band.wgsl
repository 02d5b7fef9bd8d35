// Ends of the level set's values, in cells.

// Distance from the surface within which it is one.
const BAND = 4.0;
// Least size: 0 is of cells that have none yet.
const LEAST_LEVEL = 1e-6;
