// What cells in solids without a mirror image have in w (liquid/mirror).
const UNKNOWN = 1e3;
