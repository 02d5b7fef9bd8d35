// Constants of the scene's smoothing kernel, for walks: on software Vulkan a uniform that is read in a loop is gathered
// lane by lane each time.
//!include common/params

var<private> kernel: KernelParams;
var<private> dimensions: f32;

// A pass that uses kernels calls this before its walk.
fn read_kernel() {
    kernel = params.kernel;
    dimensions = f32(params.world.dimensions);
}
