"""The result of a simulation: surfaces that follow the file, with materials, and bodies that move."""

import bpy

from .export import SURFACE, Problem, folder, objects

RESULT = "meniscus result"


def result(context):
    """Loads the surfaces and bodies, in place of those of an earlier simulation."""
    path = folder(context) / SURFACE
    if not path.is_file():
        raise Problem(f"there is no {path}: simulate first")
    scene = context.scene
    remove()
    frames = (scene.frame_start, scene.frame_end)
    before = set(bpy.data.objects)
    files = set(bpy.data.cache_files)
    if bpy.ops.wm.usd_import(filepath=str(path), set_frame_range=False) != {"FINISHED"}:
        raise Problem(f"Blender cannot read {path}")
    scene.frame_start, scene.frame_end = frames
    collection = bpy.data.collections.new(RESULT)
    scene.collection.children.link(collection)
    scale = scene.unit_settings.scale_length if scene.unit_settings.system != "NONE" else 1.0
    for one in set(bpy.data.objects) - before:
        for other in list(one.users_collection):
            other.objects.unlink(one)
        collection.objects.link(one)
        if one.parent is None:
            one.scale = [value / scale for value in one.scale]
        if one.type == "MESH" and "transmission" in one.data:
            liquid(one)
    for file in set(bpy.data.cache_files) - files:
        # The file begins at 0.
        file.frame_offset = scene.frame_start
    # What is simulated is there now as a result.
    for one in objects(context):
        if one.meniscus.role in ("FLUID", "BODY", "EMITTER"):
            one.hide_render = True
            one.hide_set(True)


def remove():
    """Removes the result of an earlier simulation."""
    collection = bpy.data.collections.get(RESULT)
    if collection is None:
        return
    for one in list(collection.all_objects):
        bpy.data.objects.remove(one, do_unlink=True)
    bpy.data.collections.remove(collection)


def liquid(one):
    """Gives a liquid's material what USD's preview surface has not: transmission and absorption."""
    for polygon in one.data.polygons:
        polygon.use_smooth = True
    for material in one.data.materials:
        tree = material.node_tree if material else None
        shader = next((node for node in tree.nodes if node.type == "BSDF_PRINCIPLED"), None) if tree else None
        if shader is None:
            continue
        transmission = one.data["transmission"]
        shader.inputs["Alpha"].default_value = 1.0
        shader.inputs["IOR"].default_value = one.data["ior"]
        shader.inputs["Transmission Weight"].default_value = transmission
        if transmission <= 0:
            continue
        base = shader.inputs["Base Color"]
        base.default_value = [value + (1 - value) * transmission for value in base.default_value]
        absorption = tree.nodes.new("ShaderNodeVolumeAbsorption")
        absorption.inputs["Color"].default_value = (*one.data["attenuation_color"], 1.0)
        absorption.inputs["Density"].default_value = 1.0 / one.data["attenuation_distance"]
        output = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
        tree.links.new(absorption.outputs["Volume"], output.inputs["Volume"])
