// Manifolds of contacts: own solid, other solid, number of points, colour, and the points by index of boundary particle. Those of one
// colour share no free body, except those of the last.

// Manifolds of a free body, from the number of the solid on.
const MANIFOLDS = 8u;
// Colours, with the last one.
const COLOURS = 32u;
