// libpng reports errors by longjmp, which Swift code cannot take part in: skipping Swift frames is
// undefined. These few functions hold the setjmp, so that every error comes back as a return value.
// They are `static inline`, so there is no C target to build. Nothing of ours runs between setjmp and
// longjmp but these bodies and the row buffers they are given.
#ifndef FACEKIT_CPNG_SHIM_H
#define FACEKIT_CPNG_SHIM_H

#include <png.h>
#include <setjmp.h>
#include <stddef.h>
#include <string.h>
#include <zlib.h>

/// A PNG being read from memory. Zero it, then begin, rows, end.
typedef struct {
  png_structp png;
  png_infop info;
  const unsigned char *bytes;
  size_t count;
  size_t offset;
  /// Set when libpng asked for bytes beyond the last one.
  int ranOut;
  int passes;
  unsigned int width;
  unsigned int height;
  char message[160];
} facekit_png_reader;

static inline void facekit_png_copy_message(char *to, size_t size, const char *from) {
  strncpy(to, from ? from : "unknown error", size - 1);
  to[size - 1] = 0;
}

static inline void facekit_png_read_error(png_structp png, png_const_charp message) {
  facekit_png_reader *reader = (facekit_png_reader *)png_get_error_ptr(png);
  facekit_png_copy_message(reader->message, sizeof reader->message, message);
  png_longjmp(png, 1);
}

static inline void facekit_png_ignore_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static inline void facekit_png_read_bytes(png_structp png, png_bytep to, size_t count) {
  facekit_png_reader *reader = (facekit_png_reader *)png_get_io_ptr(png);
  if (count > reader->count - reader->offset) {
    reader->ranOut = 1;
    png_error(png, "the data ends early");
  }
  memcpy(to, reader->bytes + reader->offset, count);
  reader->offset += count;
}

/// Reads everything before the pixels, and asks for 8-bit RGB samples as they are stored: no gamma,
/// no alpha blending, the high byte of 16-bit samples. Returns 0 on success.
static inline int facekit_png_begin(
    facekit_png_reader *reader, const unsigned char *bytes, size_t count) {
  reader->bytes = bytes;
  reader->count = count;
  reader->png = png_create_read_struct(
      PNG_LIBPNG_VER_STRING, reader, facekit_png_read_error, facekit_png_ignore_warning);
  if (!reader->png) {
    facekit_png_copy_message(reader->message, sizeof reader->message, "libpng has another version");
    return 1;
  }
  reader->info = png_create_info_struct(reader->png);
  if (!reader->info) return 1;
  if (setjmp(png_jmpbuf(reader->png))) return 1;
  png_set_read_fn(reader->png, reader, facekit_png_read_bytes);
  // The caller limits the number of pixels; libpng's own limit is one million on each side.
  png_set_user_limits(reader->png, 0x7fffffff, 0x7fffffff);
  // No chunk is longer than its file, so none needs more memory than that.
  png_set_chunk_malloc_max(reader->png, count);
  // Everything that says nothing about the stored samples is stepped over: profiles and text would be
  // expanded, and what is wrong with them costs no pixel.
  static const unsigned char skipped[] =
      "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0"
      "sRGB\0sTER\0tEXt\0tIME\0zTXt";
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, skipped, sizeof skipped / 5);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
  png_read_info(reader->png, reader->info);
  reader->width = png_get_image_width(reader->png, reader->info);
  reader->height = png_get_image_height(reader->png, reader->info);
  png_set_strip_16(reader->png);
  // Indices to colours, 1, 2 and 4 bits to 8. Not png_set_expand, which would turn a colour key
  // into alpha.
  int type = png_get_color_type(reader->png, reader->info);
  if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(reader->png);
  if (type == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(reader->png);
  png_set_gray_to_rgb(reader->png);
  png_set_strip_alpha(reader->png);
  reader->passes = png_set_interlace_handling(reader->png);
  png_read_update_info(reader->png, reader->info);
  if (png_get_rowbytes(reader->png, reader->info) != (size_t)reader->width * 3) {
    png_error(reader->png, "rows are not RGB after conversion");
  }
  return 0;
}

/// Reads all rows into `rgb`, which holds `height` rows of `stride` bytes, then the end of the file.
/// Returns 0 on success.
static inline int facekit_png_rows(facekit_png_reader *reader, unsigned char *rgb, size_t stride) {
  if (setjmp(png_jmpbuf(reader->png))) return 1;
  for (int pass = 0; pass < reader->passes; ++pass) {
    for (unsigned int y = 0; y < reader->height; ++y) {
      png_read_row(reader->png, rgb + (size_t)y * stride, NULL);
    }
  }
  png_read_end(reader->png, NULL);
  return 0;
}

static inline void facekit_png_end(facekit_png_reader *reader) {
  if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
}

/// Expands a zlib stream into at most `room` bytes, and stops there or at the first fault. Returns how
/// many bytes were written.
static inline size_t facekit_inflate(
    const unsigned char *bytes, size_t count, unsigned char *to, size_t room) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (count > 0x7fffffff || room > 0x7fffffff || inflateInit(&stream) != Z_OK) return 0;
  stream.next_in = (unsigned char *)bytes;
  stream.avail_in = (unsigned int)count;
  stream.next_out = to;
  stream.avail_out = (unsigned int)room;
  inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  return room - stream.avail_out;
}

/// Takes `count` bytes; returns 0 if they could be stored.
typedef int (*facekit_png_sink)(void *context, const unsigned char *bytes, size_t count);

typedef struct {
  png_structp png;
  png_infop info;
  facekit_png_sink sink;
  void *context;
  char message[160];
} facekit_png_writer;

static inline void facekit_png_write_error(png_structp png, png_const_charp message) {
  facekit_png_writer *writer = (facekit_png_writer *)png_get_error_ptr(png);
  facekit_png_copy_message(writer->message, sizeof writer->message, message);
  png_longjmp(png, 1);
}

static inline void facekit_png_write_bytes(png_structp png, png_bytep bytes, size_t count) {
  facekit_png_writer *writer = (facekit_png_writer *)png_get_io_ptr(png);
  if (writer->sink(writer->context, bytes, count)) png_error(png, "the bytes could not be stored");
}

static inline void facekit_png_flush(png_structp png) { (void)png; }

/// Writes 8-bit pixels of 1 (gray), 3 (RGB) or 4 (RGBA) channels in rows of `stride` bytes. Returns 0 on
/// success.
static inline int facekit_png_write(
    facekit_png_writer *writer, const unsigned char *pixels, unsigned int width, unsigned int height,
    int channels, size_t stride, int level, facekit_png_sink sink, void *context) {
  writer->sink = sink;
  writer->context = context;
  writer->png = png_create_write_struct(
      PNG_LIBPNG_VER_STRING, writer, facekit_png_write_error, facekit_png_ignore_warning);
  if (!writer->png) {
    facekit_png_copy_message(writer->message, sizeof writer->message, "libpng has another version");
    return 1;
  }
  writer->info = png_create_info_struct(writer->png);
  if (!writer->info || setjmp(png_jmpbuf(writer->png))) {
    png_destroy_write_struct(&writer->png, &writer->info);
    return 1;
  }
  png_set_write_fn(writer->png, writer, facekit_png_write_bytes, facekit_png_flush);
  png_set_user_limits(writer->png, 0x7fffffff, 0x7fffffff);
  int type = channels == 1 ? PNG_COLOR_TYPE_GRAY
                           : channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA;
  png_set_IHDR(writer->png, writer->info, width, height, 8, type, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(writer->png, level);
  png_set_filter(writer->png, 0, PNG_FILTER_SUB | PNG_FILTER_UP);
  png_write_info(writer->png, writer->info);
  for (unsigned int y = 0; y < height; ++y) {
    png_write_row(writer->png, pixels + (size_t)y * stride);
  }
  png_write_end(writer->png, NULL);
  png_destroy_write_struct(&writer->png, &writer->info);
  return 0;
}

#endif
