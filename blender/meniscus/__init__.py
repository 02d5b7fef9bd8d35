"""Fluids in Blender by the command `meniscus`: a panel that writes the scene, runs it, and loads what it gives."""

import bpy

from . import export, liquids, load, simulation

ROLES = [
    ("NONE", "None", "It is not part of the simulation"),
    ("FLUID", "Fluid", "A closed mesh that is full of fluid at the start"),
    ("CONTAINER", "Container", "A closed mesh in which the fluid is"),
    ("OBSTACLE", "Obstacle", "A closed mesh around which the fluid flows"),
    ("SHEET", "Sheet", "An open mesh, such as a bowl of one layer of faces, with fluid on both sides"),
    ("BODY", "Body", "A closed mesh that floats and sinks"),
    ("EMITTER", "Emitter", "A round mouth as wide as the object, from which fluid comes along its -Z axis"),
]
SOLVERS = [
    ("dfsph", "DFSPH", "Particles: splashes, pouring, thin sheets of water"),
    ("flip", "FLIP", "Particles and a grid: much water, fast"),
    ("apic", "APIC", "Particles and a grid: calmer than FLIP"),
]
LIQUIDS = [(key, label, "With its density, viscosity and colour") for key, (label, _) in liquids.LIQUIDS.items()]
LIQUIDS.append(("OWN", "Other", "With numbers of your own"))


class ObjectSettings(bpy.types.PropertyGroup):
    role: bpy.props.EnumProperty(name="Role", items=ROLES)
    liquid: bpy.props.EnumProperty(name="Liquid", items=LIQUIDS, update=liquids.choose, description="What it is")
    material: bpy.props.StringProperty(
        name="Name", default="water", description="Objects of one name are one liquid, with the numbers of the first"
    )
    color: bpy.props.FloatVectorProperty(
        name="Colour", subtype="COLOR_GAMMA", size=3, min=0, max=1, default=(0.35, 0.63, 0.74)
    )
    has_color: bpy.props.BoolProperty(name="Coloured", description="Water has no colour of its own")
    opacity: bpy.props.FloatProperty(
        name="Opacity", min=0.01, max=1000, default=1, description="1 of clear liquids, 30 of milk and chocolate"
    )
    refractive_index: bpy.props.FloatProperty(
        name="IOR", min=1, max=3, default=1.333, precision=3, description="Index of refraction: 1.47 of oil, 1.5 of honey"
    )
    viscosity: bpy.props.FloatProperty(
        name="Viscosity", min=0, default=0, description="In Pa s, of pastes the largest; 0: the usual one. Honey: 2 to 30"
    )
    consistency: bpy.props.FloatProperty(
        name="Consistency", min=0, default=0, description="Of pastes: viscosity in Pa s at a shear rate of 1/s. 0: a liquid"
    )
    exponent: bpy.props.FloatProperty(
        name="Exponent", min=0.1, max=3, default=1, description="Of pastes: below 1 they thin as they flow"
    )
    yield_stress: bpy.props.FloatProperty(
        name="Yield stress", min=0, default=0, description="Of pastes: stress in Pa below which they stand"
    )
    suction: bpy.props.FloatProperty(
        name="Suction", min=0, max=1e6, default=0,
        description="In Pa, by which it holds a film that would come off: 1000 lets a jet run down a statue. With DFSPH",
    )
    density: bpy.props.FloatProperty(name="Density", min=1, default=1000, description="In kg/m³")
    velocity: bpy.props.FloatVectorProperty(name="Velocity", subtype="XYZ", description="At the start, in m/s")
    place: bpy.props.FloatVectorProperty(size=16, options={"HIDDEN"}, description="Where a body was when it was written")
    speed: bpy.props.FloatProperty(name="Speed", min=0, default=1, description="Of what comes out, in m/s")


class SceneSettings(bpy.types.PropertyGroup):
    command: bpy.props.StringProperty(
        name="Command", subtype="FILE_PATH", default="meniscus", description="The program meniscus"
    )
    folder: bpy.props.StringProperty(name="Folder", subtype="DIR_PATH", default="//meniscus")
    collection: bpy.props.PointerProperty(
        name="Collection", type=bpy.types.Collection, description="Whose objects take part; all if empty"
    )
    solver: bpy.props.EnumProperty(name="Solver", items=SOLVERS)
    radius: bpy.props.FloatProperty(
        name="Particle radius", subtype="DISTANCE", unit="LENGTH", min=1e-6, default=0.02, precision=4,
        description="Half the distance of particles: the half of it takes eight times as many",
    )
    foam: bpy.props.BoolProperty(name="Foam", description="Spray, foam and bubbles, as points with a radius")
    smoothing: bpy.props.IntProperty(name="Smoothing", min=0, max=32, default=8, description="Of the surface")
    progress: bpy.props.FloatProperty(name="Progress", min=0, max=1)
    status: bpy.props.StringProperty(name="Status")


class MENISCUS_OT_export(bpy.types.Operator):
    """Write the scene and its meshes, without running it"""

    bl_idname = "meniscus.export"
    bl_label = "Write Scene"

    def execute(self, context):
        try:
            path = export.write(context)
        except export.Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self.report({"INFO"}, f"wrote {path}")
        return {"FINISHED"}


class MENISCUS_OT_run(bpy.types.Operator):
    """Write the scene, simulate it in the background, and load the surface when it is done"""

    bl_idname = "meniscus.run"
    bl_label = "Simulate"

    def invoke(self, context, _event):
        if not self.begin(context):
            return {"CANCELLED"}
        self.timer = context.window_manager.event_timer_add(0.5, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        settings = context.scene.meniscus
        settings.progress = self.job.progress()
        for area in context.window.screen.areas if context.window else []:
            area.tag_redraw()
        if self.job.is_running():
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self.timer)
        return self.end(context)

    def execute(self, context):
        """Without a window: waits for the end."""
        if not self.begin(context):
            return {"CANCELLED"}
        self.job.wait()
        return self.end(context)

    def begin(self, context):
        try:
            path = export.write(context)
            self.job = simulation.start(context, path)
        except export.Problem as problem:
            self.report({"ERROR"}, str(problem))
            return False
        context.scene.meniscus.status = "simulating"
        return True

    def end(self, context):
        settings = context.scene.meniscus
        simulation.forget(self.job)
        settings.progress = self.job.progress()
        if self.job.is_cancelled:
            settings.status = "cancelled; Load Result shows what there is"
            return {"CANCELLED"}
        failure = self.job.failure()
        if failure:
            settings.status = failure
            self.report({"ERROR"}, failure)
            return {"CANCELLED"}
        load.result(context)
        warnings = self.job.warnings()
        for text in warnings:
            self.report({"WARNING"}, text)
        settings.status = f"done; {warnings[0]}" if warnings else "done"
        return {"FINISHED"}


class MENISCUS_OT_cancel(bpy.types.Operator):
    """End the simulation after its present frame"""

    bl_idname = "meniscus.cancel"
    bl_label = "Cancel"

    @classmethod
    def poll(cls, _context):
        return simulation.current() is not None

    def execute(self, _context):
        simulation.current().cancel()
        return {"FINISHED"}


class MENISCUS_OT_load(bpy.types.Operator):
    """Load the surface and the bodies of the last simulation"""

    bl_idname = "meniscus.load"
    bl_label = "Load Result"

    def execute(self, context):
        try:
            load.result(context)
        except export.Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        return {"FINISHED"}


class Panel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "meniscus"


class MENISCUS_PT_scene(Panel, bpy.types.Panel):
    bl_label = "Fluid simulation"

    def draw(self, context):
        layout, settings = self.layout, context.scene.meniscus
        layout.use_property_split = True
        for name in ("command", "folder", "collection", "solver", "radius", "smoothing", "foam"):
            layout.prop(settings, name)
        row = layout.row()
        row.operator("meniscus.export")
        row.operator("meniscus.run")
        if simulation.current() is not None:
            layout.progress(factor=settings.progress, text=f"{100 * settings.progress:.0f} %")
            layout.operator("meniscus.cancel")
        layout.operator("meniscus.load")
        if settings.status:
            layout.label(text=settings.status)


class MENISCUS_PT_object(Panel, bpy.types.Panel):
    bl_label = "Object"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "MESH"

    def draw(self, context):
        layout, settings = self.layout, context.object.meniscus
        layout.use_property_split = True
        layout.prop(settings, "role")
        if settings.role in ("FLUID", "EMITTER"):
            for name in ("liquid", "material", "density", "viscosity", "consistency"):
                layout.prop(settings, name)
            if settings.consistency > 0:
                layout.prop(settings, "exponent")
                layout.prop(settings, "yield_stress")
            for name in ("refractive_index", "has_color"):
                layout.prop(settings, name)
            if settings.has_color:
                layout.prop(settings, "color")
                layout.prop(settings, "opacity")
            if liquids.is_thick(settings):
                box = layout.box()
                box.label(text="Written for a thick liquid:")
                own = context.scene.meniscus
                for line in liquids.needs(own.solver, own.radius * export.scale_of(context.scene)):
                    box.label(text=line)
        if settings.role == "FLUID":
            layout.prop(settings, "velocity")
        if settings.role == "EMITTER":
            layout.prop(settings, "speed")
        if settings.role in ("OBSTACLE", "SHEET"):
            layout.prop(settings, "suction")
        if settings.role == "BODY":
            layout.prop(settings, "density")


CLASSES = (
    ObjectSettings,
    SceneSettings,
    MENISCUS_OT_export,
    MENISCUS_OT_run,
    MENISCUS_OT_cancel,
    MENISCUS_OT_load,
    MENISCUS_PT_scene,
    MENISCUS_PT_object,
)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Object.meniscus = bpy.props.PointerProperty(type=ObjectSettings)
    bpy.types.Scene.meniscus = bpy.props.PointerProperty(type=SceneSettings)


def unregister():
    if simulation.current() is not None:
        simulation.current().cancel()
    del bpy.types.Scene.meniscus
    del bpy.types.Object.meniscus
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
