"""The add-on without a window: `python3 blender/test_addon.py COMMAND FOLDER`, in a Python with bpy."""

import subprocess
import sys
import time
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parent))
import meniscus  # noqa: E402

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
cube("crate", "BODY", (0.3, 0.3, 0.3), (1.5, 0.5, 0.4)).meniscus.density = 300
spout = cube("spout", "EMITTER", (0.2, 0.2, 0.2), (1.0, 0.5, 0.9))
spout.meniscus.material = "tea"
context.view_layer.update()
settings.command = "no_such_program"
refused(bpy.ops.meniscus.run, "there is no program no_such_program")
settings.command = command
assert bpy.ops.meniscus.run() == {"FINISHED"}, settings.status
assert settings.status == "done" and settings.progress == 1.0, settings.status

result = bpy.data.collections["meniscus result"]
names = sorted(one.name for one in result.all_objects if one.type == "MESH")
assert names == ["crate.001", "tea"], names
tea = result.all_objects["tea"]


def surface(frame):
    scene.frame_set(frame)
    mesh = tea.evaluated_get(context.evaluated_depsgraph_get()).data
    points = [tea.matrix_world @ vertex.co for vertex in mesh.vertices]
    return [(min(p[k] for p in points), max(p[k] for p in points)) for k in range(3)]


first, last = surface(10), surface(16)
assert abs(first[0][0]) < 0.02 and abs(first[2][0]) < 0.02, first
assert last != first, "nothing moves"
assert all(low >= -0.01 for low, _ in last), "it is kept in the tank"
shader = next(node for node in tea.data.materials[0].node_tree.nodes if node.type == "BSDF_PRINCIPLED")
assert shader.inputs["Transmission Weight"].default_value == 1.0
assert abs(shader.inputs["IOR"].default_value - 1.333) < 1e-5
assert fluid.hide_render and not tank.hide_render
crate = result.all_objects["crate.001"]
scene.frame_set(10)
start = crate.matrix_world.translation.copy()
assert (start - bpy.data.objects["crate"].matrix_world.translation).length < 1e-3, start
scene.frame_set(16)
assert crate.matrix_world.translation.z < start.z - 0.02, "the crate falls"
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
