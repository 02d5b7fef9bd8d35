// Slopes of a level set that stay.
const FLAT = 0.8;
const STEEP = 1.25;
