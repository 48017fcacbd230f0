#include <string.h>

#include <png.h>

// The version of the structure is a macro, and the structure holds an array that Swift imports as a tuple of 64.
static inline png_image signet_png_image(png_uint_32 width, png_uint_32 height, png_uint_32 format) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = format;
    return image;
}
