"""The add-on without a window: `python3 blender/test_addon.py COMMAND FOLDER`, in a Python with bpy."""

import math
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parent))
import meniscus  # noqa: E402
from meniscus import liquids  # noqa: E402

command, folder = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
meniscus.register()
context, scene = bpy.context, bpy.context.scene
settings = scene.meniscus
settings.command, settings.folder, settings.radius = command, folder, 0.05
scene.render.fps, scene.frame_start, scene.frame_end = 24, 10, 16


def cube(name, role, size, place):
    bpy.ops.mesh.primitive_cube_add(size=1, location=place)
    one = context.object
    one.name, one.scale, one.meniscus.role = name, size, role
    return one


def refused(operator, part):
    try:
        operator()
    except RuntimeError as error:
        assert part in str(error), error
    else:
        raise AssertionError(f"not refused: {part}")


refused(bpy.ops.meniscus.run, "no object is a fluid or an emitter")
refused(bpy.ops.meniscus.load, "simulate first")
fluid = cube("dam", "FLUID", (0.5, 0.5, 0.5), (0.25, 0.25, 0.25))
fluid.meniscus.material = "tea"
fluid.meniscus.has_color = True
# Mirrored, as meshes from modifiers are.
tank = cube("tank", "CONTAINER", (-2.0, 1.0, 1.0), (1.0, 0.5, 0.5))
box = cube("crate", "BODY", (0.3, 0.2, 0.35), (1.5, 0.5, 0.4))
box.meniscus.density, box.rotation_euler = 300, (0.2, 0.3, 0.5)
red = bpy.data.materials.new("red paint")
box.data.materials.append(red)
settings.foam = True
spout = cube("spout", "EMITTER", (0.2, 0.2, 0.2), (1.0, 0.5, 0.9))
spout.meniscus.material, spout.meniscus.speed = "tea", 4
context.view_layer.update()
settings.command = "no_such_program"
refused(bpy.ops.meniscus.run, "there is no program no_such_program")
settings.command = command
assert bpy.ops.meniscus.run() == {"FINISHED"}, settings.status
assert settings.status.startswith("done") and settings.progress == 1.0, settings.status

result = bpy.data.collections["meniscus result"]
names = sorted(one.name for one in result.all_objects if one.type == "MESH")
assert names == ["crate.001", "tea"], names
tea = result.all_objects["tea"]


def surface(one, frame):
    bpy.context.scene.frame_set(frame)
    mesh = one.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    points = [one.matrix_world @ vertex.co for vertex in mesh.vertices]
    return [(min(p[k] for p in points), max(p[k] for p in points)) for k in range(3)]


first, last = surface(tea, 10), surface(tea, 16)
assert abs(first[0][0]) < 0.02 and abs(first[2][0]) < 0.02, first
assert last != first, "nothing moves"
assert all(low >= -0.01 for low, _ in last), "it is kept in the tank"
shader = next(node for node in tea.data.materials[0].node_tree.nodes if node.type == "BSDF_PRINCIPLED")
assert shader.inputs["Transmission Weight"].default_value == 1.0
assert abs(shader.inputs["IOR"].default_value - 1.333) < 1e-5
assert fluid.hide_render and not tank.hide_render
crate = result.all_objects["crate.001"]
assert crate.data == box.data and crate.active_material == red and crate.meniscus.role == "NONE"
assert crate.visible_get() and not crate.hide_render and box.hide_render
scene.frame_set(10)
start = crate.matrix_world.copy()
apart = max(abs(start[row][column] - box.matrix_world[row][column]) for row in range(3) for column in range(4))
assert apart < 1e-3, (start, box.matrix_world)
scene.frame_set(16)
fallen = start.translation.z - crate.matrix_world.translation.z
assert 0.1 < fallen < 4.905 * 0.25**2 + 0.01, fallen
foam = next(one for one in result.all_objects if one.type == "POINTCLOUD")
points = foam.evaluated_get(context.evaluated_depsgraph_get()).data
assert foam.active_material.name == "meniscus foam" and len(points.points) > 0
radii = {round(one.radius / 0.05, 4) for one in points.points}
assert radii <= {0.44, 0.5, 0.28}, radii
assert bpy.ops.meniscus.load() == {"FINISHED"} and len(bpy.data.collections) == 1
if sys.platform != "win32":
    scene.frame_end = 5000
    job = meniscus.simulation.start(context, meniscus.export.write(context))
    refused(bpy.ops.meniscus.run, "a simulation is running already")
    while job.is_running() and job.progress() == 0:
        time.sleep(0.1)
    assert bpy.ops.meniscus.cancel.poll() and 0 < job.progress() < 1
    bpy.ops.meniscus.cancel()
    job.wait()
    assert "interrupted" in job.failure(), job.failure()
    meniscus.simulation.forget(job)
    assert bpy.ops.meniscus.load() == {"FINISHED"}
# Liquids by name, in a scene whose unit is a centimetre: what they need is written, and understood without a warning.
bpy.ops.wm.read_factory_settings(use_empty=True)
scene, context = bpy.context.scene, bpy.context
scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", 0.01
settings = scene.meniscus
settings.command, settings.folder, settings.radius = command, str(Path(folder) / "liquids"), 0.4
scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 9
spout = cube("spout", "EMITTER", (2.0, 2.0, 0.1), (0.0, 0.0, 8.0))
spout.meniscus.speed = 0.5
bpy.ops.mesh.primitive_uv_sphere_add(radius=2.5, location=(0.5, 0.0, 2.5))
context.object.name, context.object.meniscus.role = "ball", "OBSTACLE"
cube("table", "OBSTACLE", (20.0, 20.0, 1.0), (0.0, 0.0, -0.5))
cube("cork", "BODY", (2.0, 2.0, 2.0), (6.0, 0.0, 1.4)).meniscus.density = 300
context.view_layer.update()


def written():
    return tomllib.loads(meniscus.export.write(context).read_text(encoding="utf-8"))


for solver in ("dfsph", "flip"):
    settings.solver = solver
    for name, (_, numbers) in liquids.LIQUIDS.items():
        spout.meniscus.liquid = name
        own, walls = written(), written()["boundary"]
        material = own["material"][0]
        assert material["name"] == name and material["rest_density"] == numbers["density"], material
        assert material.get("viscosity", 0) == numbers.get("viscosity", 0), material
        thick, particles = name not in ("water", "oil"), solver == "dfsph"
        assert (own.get("viscosity") == {"model": "implicit"}) == (thick and particles), own
        assert ("max_step" in own["time"]) == (thick and particles), own
        assert not particles or abs(own.get("support_radius", 0) - (0.024 if thick else 0)) < 1e-9, own
        for wall in walls:
            holds = wall.get("response") == {"particles": {"no_slip": True}}, wall.get("suction") == 1000.0
            assert holds == (thick and particles,) * 2 and (wall.get("contact") == "sticky") == (thick and not particles)
        assert ("drag" in own["body"][0]) == (thick and particles), own
        assert (material.get("model") == "paste") == (name == "paste" and particles), material
        said = subprocess.run(
            [command, "run", "scene.toml", "--until", "0", "--quiet", "--log", "log.jsonl"],
            cwd=Path(folder) / "liquids", stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )
        assert said.returncode == 0 and (particles or not thick or "slip" not in said.stderr), said.stderr
        asks = [line for line in said.stderr.splitlines() if "suction = 1000.0 holds it" in line]
        assert len(asks) == (particles and not thick), said.stderr
        assert not particles or said.stderr.count("warning") == len(asks), said.stderr
settings.solver = "dfsph"
bpy.data.objects["ball"].meniscus.suction = 200
spout.meniscus.liquid = "water"
assert [wall.get("suction") for wall in written()["boundary"]] == [200.0, None]
spout.meniscus.liquid = "honey"
assert bpy.ops.meniscus.run() == {"FINISHED"}, settings.status
honey = bpy.data.collections["meniscus result"].all_objects["honey"]
(low_x, high_x), (low_y, high_y), (low, high) = surface(honey, 9)
# By the same jet without what is written for it honey is thrown over the whole table, 10 cm to each side.
assert -5 < low_x and high_x < 5.5 and -5 < low_y and high_y < 5 and low > -0.6 and high < 8.5, surface(honey, 9)
tree = honey.data.materials[0].node_tree
absorption = next(node for node in tree.nodes if node.type == "VOLUME_ABSORPTION")
density, color = (absorption.inputs[name].default_value for name in ("Density", "Color"))
assert math.isclose(density, 0.01 / honey.data["attenuation_distance"], rel_tol=1e-5), density
# Two units of honey are amber: red passes, blue does not.
left = [math.exp(-2 * density * (1 - channel)) for channel in list(color)[:3]]
assert left[0] > 0.4 and left[0] > 1.5 * left[1] > 1.5 * left[2], left
# So it is in a picture before a white wall of light.
world = bpy.data.worlds.new("white")
scene.world, world.use_nodes = world, True
light = next(node for node in world.node_tree.nodes if node.type == "BACKGROUND")
light.inputs["Color"].default_value = (1.0, 1.0, 1.0, 1.0)
bpy.ops.object.camera_add(location=(0.0, -20.0, 5.0), rotation=(math.pi / 2, 0.0, 0.0))
scene.camera = context.object
scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 16, False
scene.render.resolution_x, scene.render.resolution_y = 48, 36
scene.view_settings.view_transform = "Standard"
scene.render.filepath = str(Path(folder) / "honey.png")
scene.frame_set(9)
bpy.ops.render.render(write_still=True)
picture = bpy.data.images.load(scene.render.filepath)
pixels = [picture.pixels[k : k + 3] for k in range(0, len(picture.pixels), 4)]
amber = [(r, g, b) for r, g, b in pixels if r > 1.3 * g > 1.6 * b and r > 0.3]
grey = [(r, g, b) for r, g, b in pixels if max(r, g, b) < 0.1]
assert len(amber) > 60 and len(grey) < 0.2 * len(amber), (len(amber), len(grey))
# A boundary that changes its shape, by a scene of its own: the fish bends about where it swims, 3 cm in ten frames.
swim = [command, "run", "swimmer", "--set", "particle_radius=0.04", "--until", "0.2084", "--quiet", "--usd", "fish.usdc"]
subprocess.run(swim, check=True, cwd=folder)
bpy.ops.wm.usd_import(filepath=str(Path(folder) / "fish.usdc"), set_frame_range=False)
fish = bpy.data.objects["fish"]


def shape(frame):
    scene.frame_set(frame)
    evaluated = fish.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [vertex.co.copy() for vertex in evaluated.data.vertices], evaluated.matrix_world.translation.copy()


(straight, start), (bent, end) = shape(0), shape(10)
assert len(straight) == len(bent) and max((a - b).length for a, b in zip(straight, bent)) > 0.01
# Through keys at rest at both ends: 1.6 m (3 s² − 2 s³) with s = t/2.4.
s = 10 / 48 / 2.4
assert abs((end - start).length - 1.6 * (3 * s**2 - 2 * s**3)) < 1e-3, (start, end)
# Smoke, by a scene of its own: volumes with their places and names.
smoke = Path(folder) / "smoke"
run = [command, "run", "campfire", "--set", "smoke.cell=0.05", "--until", "0.1", "--grid", "vdb", "--out", str(smoke)]
subprocess.run(run, check=True)
volume = bpy.data.volumes.new("smoke")
volume.filepath = str(smoke / "cells_00003.vdb")
assert volume.grids.load(), volume.grids.error_message
names = [(grid.name, grid.data_type) for grid in volume.grids if grid.load()]
scalars = ["density", "flame", "fuel", "pressure", "temperature"]
assert sorted(names) == [(name, "FLOAT") for name in scalars] + [("velocity", "VECTOR_FLOAT")], names
air = bpy.data.objects.new("air", volume)
scene.collection.objects.link(air)
hot = bpy.data.objects.new("hot", bpy.data.meshes.new("hot"))
scene.collection.objects.link(hot)
modifier = hot.modifiers.new("surface", "VOLUME_TO_MESH")
modifier.object, modifier.grid_name, modifier.threshold = air, "temperature", 450.0
mesh = hot.evaluated_get(context.evaluated_depsgraph_get()).to_mesh()
places = [vertex.co for vertex in mesh.vertices]
# Half of the 900 K of the source, a ball of 0.11 m about (0, 0.04, 0), on the floor.
size = [max(place[k] for place in places) - min(place[k] for place in places) for k in range(3)]
middle = [sum(place[k] for place in places) / len(places) for k in range(3)]
assert all(0.15 < size[k] < 0.4 for k in range(3)) and abs(middle[0]) < 0.04 and 0.0 < middle[1] < 0.2, (size, middle)
meniscus.unregister()
print("the add-on works in Blender", bpy.app.version_string)
