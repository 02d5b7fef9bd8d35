"""Liquids by name, and what thick ones need of the scene."""

# Numbers of docs/liquids.md near 20 °C; colours are sRGB. Paste is ketchup: K = `consistency` in Pa sⁿ and a yield stress in Pa, at
# most `viscosity` in Pa s. Lava is a basalt of 1,100 °C that has begun to cool.
LIQUIDS = {
    "water": ("Water", {"density": 998, "refractive_index": 1.333}),
    "oil": (
        "Oil",
        {"density": 911, "viscosity": 0.084, "refractive_index": 1.47, "color": (0.86, 0.72, 0.2), "opacity": 1},
    ),
    "honey": (
        "Honey",
        {"density": 1420, "viscosity": 10, "refractive_index": 1.5, "color": (0.86, 0.55, 0.04), "opacity": 3},
    ),
    "chocolate": (
        "Chocolate",
        {"density": 1280, "viscosity": 3, "refractive_index": 1.45, "color": (0.24, 0.14, 0.08), "opacity": 30},
    ),
    "paste": (
        "Paste",
        {
            "density": 1100, "viscosity": 300, "consistency": 19, "exponent": 0.3, "yield_stress": 20,
            "refractive_index": 1.4, "color": (0.7, 0.09, 0.05), "opacity": 30,
        },
    ),
    "lava": ("Lava", {"density": 2600, "viscosity": 100, "refractive_index": 1.6, "color": (0.9, 0.22, 0.03), "opacity": 30}),
}
# What a liquid has unless its row says something else.
USUAL = {
    "density": 1000, "viscosity": 0, "consistency": 0, "exponent": 1, "yield_stress": 0, "refractive_index": 1.333,
    "opacity": 1,
}
# Kinematic viscosity in m²/s from which a liquid sticks to what it touches, a thousand times that of water.
THICK = 1e-3
# Suction in Pa of solids that hold a thick film where it would come off them, and of films of water if asked for.
SUCTION = 1000.0
# Longest step in s in which a thick liquid keeps its shape.
STEP = 0.002
# Radii of support with which the linear system has 95 % of the viscosity.
RADII = 6
# Drag of bodies that a thick liquid takes along.
DRAG = 10.0


def choose(own, _context=None):
    """Gives an object's settings the numbers of the liquid that they name."""
    if own.liquid not in LIQUIDS:
        return
    own.material = own.liquid
    values = USUAL | LIQUIDS[own.liquid][1]
    own.has_color = "color" in values
    for name, value in values.items():
        setattr(own, name, value)


def is_thick(own):
    """Whether it sticks to walls and is drawn out into threads."""
    return own.viscosity / own.density >= THICK


def needs(solver, radius):
    """What a thick liquid has of the scene, in lines for the panel; the radius in m."""
    if solver != "dfsph":
        return ["walls that it sticks to"]
    return [
        "viscosity by a linear system",
        f"support of {RADII} radii, {1000 * RADII * radius:.4g} mm",
        f"steps of up to {1000 * STEP:g} ms",
        "walls and bodies that it sticks to",
        f"suction of {SUCTION:g} Pa on obstacles",
    ]
