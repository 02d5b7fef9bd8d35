"""The result of a simulation: surfaces that follow the file, with materials, foam, and bodies that move."""

import bpy
from mathutils import Matrix

from .export import SURFACE, Problem, body_names, folder, objects, scale_of

RESULT = "meniscus result"


def result(context):
    """Loads the surfaces, foam and bodies, in place of those of an earlier simulation."""
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
    scale = scale_of(scene)
    loaded = set(bpy.data.objects) - before
    for one in loaded:
        for other in list(one.users_collection):
            other.objects.unlink(one)
        collection.objects.link(one)
        if one.parent is None:
            one.scale = [value / scale for value in one.scale]
        if one.type == "MESH" and "transmission" in one.data:
            liquid(one, scale)
        if one.type == "POINTCLOUD":
            one.data.materials.append(white())
    for file in set(bpy.data.cache_files) - files:
        # The file begins at 0.
        file.frame_offset = scene.frame_start
    bodies(context, collection, loaded)
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


def bodies(context, collection, loaded):
    """Puts copies of the bodies, with their own meshes, materials and modifiers, in place of the triangles of the file."""
    scene, present = context.scene, context.scene.frame_current
    moving = {}
    for one in loaded:
        for constraint in one.constraints:
            if constraint.type == "TRANSFORM_CACHE":
                moving[constraint.object_path.rsplit("/", 1)[-1]] = one
    pairs = [(one, moving[name]) for one, name in body_names(objects(context)).items() if name in moving]
    scene.frame_set(scene.frame_start)
    for one, found in pairs:
        start = found.matrix_world.copy()
        hook = bpy.data.objects.new(f"{one.name} moves", None)
        collection.objects.link(hook)
        hook.empty_display_size = 0.1 * max(one.dimensions)
        hook.parent, hook.matrix_parent_inverse = found.parent, found.matrix_parent_inverse.copy()
        hook.matrix_basis = found.matrix_basis.copy()
        for constraint in found.constraints:
            own = hook.constraints.new(constraint.type)
            own.cache_file, own.object_path = constraint.cache_file, constraint.object_path
        triangles = found.data
        bpy.data.objects.remove(found, do_unlink=True)
        bpy.data.meshes.remove(triangles)
        copy = one.copy()
        collection.objects.link(copy)
        copy.animation_data_clear()
        copy.constraints.clear()
        copy.meniscus.role = "NONE"
        copy.hide_render = False
        copy.hide_set(False)
        copy.delta_location, copy.delta_rotation_euler, copy.delta_scale = (0, 0, 0), (0, 0, 0), (1, 1, 1)
        copy.delta_rotation_quaternion = (1, 0, 0, 0)
        copy.parent, copy.parent_type = hook, "OBJECT"
        copy.matrix_basis = Matrix()
        # Where it was when the scene was written, as the hook sees it at the start.
        place = Matrix([one.meniscus.place[4 * row : 4 * row + 4] for row in range(4)])
        copy.matrix_parent_inverse = start.inverted() @ place
    scene.frame_set(present)


def white():
    """The material of foam."""
    material = bpy.data.materials.get("meniscus foam") or bpy.data.materials.new("meniscus foam")
    material.use_nodes = True
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (0.9, 0.93, 0.95, 1.0)
    shader.inputs["Roughness"].default_value = 0.6
    return material


def liquid(one, scale):
    """Gives a liquid's material what USD's preview surface has not: transmission and absorption. Blender's unit is `scale` m."""
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
        if transmission >= 1:
            # A clear liquid has its colour by absorption alone; what scatters light in another is of the colour of its surface.
            shader.inputs["Base Color"].default_value = (1.0, 1.0, 1.0, 1.0)
        absorption = tree.nodes.new("ShaderNodeVolumeAbsorption")
        absorption.inputs["Color"].default_value = (*one.data["attenuation_color"], 1.0)
        # The distance in the file is in m, and Blender's density is per unit of its own.
        absorption.inputs["Density"].default_value = scale / one.data["attenuation_distance"]
        output = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
        tree.links.new(absorption.outputs["Volume"], output.inputs["Volume"])
