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

struct signet_png_buffer {
    png_bytep octets;
    size_t count, capacity;
};

static inline void signet_png_append(png_structp png, png_bytep octets, size_t count) {
    struct signet_png_buffer *buffer = (struct signet_png_buffer *)png_get_io_ptr(png);
    if (count > buffer->capacity - buffer->count) png_error(png, "no room");
    memcpy(buffer->octets + buffer->count, octets, count);
    buffer->count += count;
}

static inline void signet_png_flush(png_structp png) { (void)png; }

static inline void signet_png_warned(png_structp png, png_const_charp words) { (void)png, (void)words; }

static inline void signet_png_failed(png_structp png, png_const_charp words) {
    (void)words;
    png_longjmp(png, 1);
}

// Writes rows of one bit for each pixel, 1 being white, each of them `repeats` times; the octets of the file, 0 for a failure. The
// functions of libpng that Swift can call (png_image_...) want an octet for each pixel and always compress as hard as they can.
static inline size_t signet_png_write_rows(
    const png_byte *rows, png_uint_32 width, png_uint_32 count, png_uint_32 repeats, png_bytep file, size_t capacity) {
    struct signet_png_buffer buffer = {file, 0, capacity};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, signet_png_failed, signet_png_warned);
    if (png == NULL) return 0;
    png_infop info = png_create_info_struct(png);
    if (info == NULL || setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_write_struct(&png, &info);
        return 0;
    }
    png_set_write_fn(png, &buffer, signet_png_append, signet_png_flush);
    png_set_IHDR(
        png, info, width, count * repeats, 1, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
        PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 1);
    // A repeated row is nothing but zeros.
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
    png_write_info(png, info);
    size_t stride = (width + 7) / 8;
    for (png_uint_32 row = 0; row < count; row++) {
        for (png_uint_32 repeat = 0; repeat < repeats; repeat++) png_write_row(png, rows + row * stride);
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return buffer.count;
}
