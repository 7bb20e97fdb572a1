# what every throw of the module carries: the address of the exception
	.tagtype	__cpp_exception i32
	.globl	__cpp_exception
__cpp_exception:
