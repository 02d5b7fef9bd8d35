"""Blender's scene as a scene file of meniscus, in metres; z stays up, as gravity says."""

import json
from pathlib import Path

import bpy
from mathutils import Matrix, Vector

from . import liquids

SCENE, SURFACE = "scene.toml", "surface.usdc"


class Problem(Exception):
    """What is wrong with the scene, in a sentence for the user."""


def folder(context):
    path = bpy.path.abspath(context.scene.meniscus.folder)
    if path.startswith("//") or not path:
        raise Problem("save the file first, or choose a folder that does not begin with //")
    return Path(path)


def text(value):
    """A string of TOML, which JSON's are, too."""
    return json.dumps(value)


def numbers(values):
    """An array of numbers, which Blender has with 32 bits."""
    return "[" + ", ".join(number(value) for value in values) + "]"


def number(value):
    digits = f"{float(value):.7g}"
    return digits if set(digits) & set(".e") else digits + ".0"


def objects(context):
    """Objects that take part, with their roles."""
    collection = context.scene.meniscus.collection or context.scene.collection
    meshes = [one for one in collection.all_objects if one.type == "MESH"]
    return [one for one in meshes if one.meniscus.role != "NONE"]


def scale_of(scene):
    """The length of Blender's unit in m."""
    return scene.unit_settings.scale_length if scene.unit_settings.system != "NONE" else 1.0


def file_name(name):
    """A name as files of USD have it."""
    name = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in name)
    return name if name[:1].isalpha() or name[:1] == "_" else "_" + name


def body_names(taking_part):
    """Names of bodies, unlike each other and those of liquids in files, too."""
    taken = {"Materials", "Solid"}
    taken |= {file_name(one.meniscus.material) for one in taking_part if one.meniscus.role in ("FLUID", "EMITTER")}
    names = {}
    for one in taking_part:
        if one.meniscus.role == "BODY":
            name, number = file_name(one.name), 2
            while name in taken:
                name, number = f"{file_name(one.name)}_{number}", number + 1
            taken.add(name)
            names[one] = name
    return names


def write_mesh(context, one, path, scale):
    """Writes an object with its modifiers in world coordinates, in m, as OBJ."""
    evaluated = one.evaluated_get(context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    try:
        mesh.calc_loop_triangles()
        if not mesh.loop_triangles:
            raise Problem(f"{one.name} has no faces")
        place = Matrix.Scale(scale, 4) @ evaluated.matrix_world
        mirrored = place.determinant() < 0
        with open(path, "w", encoding="utf-8") as file:
            file.write("# metres, z is up\n")
            for vertex in mesh.vertices:
                file.write("v {:.9g} {:.9g} {:.9g}\n".format(*(place @ vertex.co)))
            for triangle in mesh.loop_triangles:
                a, b, c = (1 + k for k in triangle.vertices)
                file.write(f"f {a} {c} {b}\n" if mirrored else f"f {a} {b} {c}\n")
    finally:
        evaluated.to_mesh_clear()


def emitter(one, scale):
    """Centre, direction (the object's -Z axis) and radius of a mouth."""
    place = one.matrix_world
    direction = (place.to_3x3() @ Vector((0, 0, -1))).normalized()
    widths = [place.to_3x3().col[axis].length * one.dimensions[axis] / max(one.scale[axis], 1e-12) for axis in (0, 1)]
    return scale * place.translation, direction, scale * max(widths) / 2


def write(context):
    """Writes the scene and its meshes into the folder; returns the scene's path."""
    scene, settings = context.scene, context.scene.meniscus
    taking_part = objects(context)
    if not any(one.meniscus.role in ("FLUID", "EMITTER") for one in taking_part):
        raise Problem("no object is a fluid or an emitter: choose a role in the panel Object")
    path = folder(context)
    (path / "meshes").mkdir(parents=True, exist_ok=True)
    scale = scale_of(scene)
    fps = scene.render.fps / scene.render.fps_base
    frames = scene.frame_end - scene.frame_start
    if frames < 1:
        raise Problem("the timeline has one frame only")
    gravity = scene.gravity if scene.use_gravity else (0, 0, 0)
    materials = {}
    for one in taking_part:
        own = one.meniscus
        if own.role in ("FLUID", "EMITTER") and own.material not in materials:
            materials[own.material] = own
    # Particles need a linear system, and walls that act by particles, for a liquid that sticks; grids only the latter.
    is_thick, particles = any(map(liquids.is_thick, materials.values())), settings.solver == "dfsph"
    lines = [
        "# Written by Blender; a change here is lost when it is written again.",
        f"solver = {text(settings.solver)}",
        f"particle_radius = {number(settings.radius * scale)}",
        f"gravity = {numbers(gravity)}",
    ]
    if is_thick and particles:
        lines.append(f"support_radius = {number(liquids.RADII * settings.radius * scale)}")
    lines += ["[time]", f"fps = {fps!r}", f"until = {frames / fps!r}"]
    if is_thick and particles:
        lines += [f"max_step = {liquids.STEP!r}", "[viscosity]", 'model = "implicit"']
    if settings.foam:
        lines += ["[foam]", "enabled = true"]
    for name, own in materials.items():
        lines += ["[[material]]", f"name = {text(name)}", f"rest_density = {number(own.density)}"]
        if own.viscosity > 0:
            lines.append(f"viscosity = {number(own.viscosity)}")
        if own.consistency > 0 and particles and is_thick:
            lines += ['model = "paste"', f"consistency = {number(own.consistency)}"]
            lines += [f"exponent = {number(own.exponent)}", f"yield_stress = {number(own.yield_stress)}"]
        if own.has_color:
            lines.append(f"color = {numbers(own.color)}")
            # Water without a colour of its own has no opacity either.
            if own.opacity != 1:
                lines.append(f"opacity = {number(own.opacity)}")
        if abs(own.refractive_index - 1.333) > 1e-4:
            lines.append(f"refractive_index = {number(own.refractive_index)}")
    names = body_names(taking_part)
    for index, one in enumerate(taking_part):
        own = one.meniscus
        if own.role == "EMITTER":
            center, direction, radius = emitter(one, scale)
            lines += [
                "[[emitter]]",
                f"material = {text(own.material)}",
                f"mouth.circle = {{ radius = {number(radius)} }}",
                f"center = {numbers(center)}",
                f"velocity = {numbers(own.speed * direction)}",
            ]
            continue
        file = f"meshes/{index:03}.obj"
        write_mesh(context, one, path / file, scale)
        mesh = f"shape.mesh = {{ file = {text(file)}{', sheet = true' if own.role == 'SHEET' else ''} }}"
        if own.role == "FLUID":
            lines += ["[[fluid]]", f"material = {text(own.material)}", mesh, f"velocity = {numbers(own.velocity)}"]
        elif own.role == "BODY":
            own.place = [value for row in one.matrix_world for value in row]
            lines += ["[[body]]", f"name = {text(names[one])}", f"density = {number(own.density)}", mesh]
            if is_thick and particles:
                lines.append(f"drag = {number(liquids.DRAG)}")
        else:
            side = "inside" if own.role == "CONTAINER" else "outside"
            lines += ["[[boundary]]", f"name = {text(one.name)}", f"side = {text(side)}", mesh]
            if is_thick:
                lines.append("response.particles = { no_slip = true }" if particles else 'contact = "sticky"')
            suction = own.suction or (liquids.SUCTION if is_thick else 0)
            if suction > 0 and particles and own.role != "CONTAINER":
                lines.append(f"suction = {number(suction)}")
    file = path / SCENE
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file
