// libtiff reports errors through handlers with a `va_list`, and its ready-made conversion to RGBA has
// tables that are changed here; both are C's to write. `static inline`, so there is no C target to build.
#ifndef FACEKIT_CTIFF_SHIM_H
#define FACEKIT_CTIFF_SHIM_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tiffio.h>

/// A TIFF being read from memory. Zero it, then open, rows, close.
typedef struct {
  TIFF *tiff;
  const unsigned char *bytes;
  toff_t count;
  toff_t offset;
  /// Set when libtiff asked for bytes beyond the last one.
  int ranOut;
  unsigned int width;
  unsigned int height;
  /// The tag's value; 1…8 by the standard, unchecked.
  unsigned int orientation;
  /// Whether colours were multiplied by an alpha channel.
  int isPremultiplied;
  /// The largest piece that is decoded at once, in bytes.
  long long pieceBytes;
  /// XMP, which belongs to the open TIFF.
  const unsigned char *xmp;
  unsigned int xmpCount;
  char message[160];
} facekit_tiff_reader;

static inline int facekit_tiff_error(
    TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
  facekit_tiff_reader *reader = (facekit_tiff_reader *)user;
  (void)tiff;
  (void)module;
  // The first error is the cause; others follow from it.
  if (!reader->message[0]) vsnprintf(reader->message, sizeof reader->message, format, arguments);
  return 1;
}

static inline int facekit_tiff_warning(
    TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
  (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
  return 1;
}

static inline tsize_t facekit_tiff_read(thandle_t handle, tdata_t to, tsize_t wanted) {
  facekit_tiff_reader *reader = (facekit_tiff_reader *)handle;
  if (wanted < 0) return -1;
  toff_t left = reader->offset < reader->count ? reader->count - reader->offset : 0;
  if ((toff_t)wanted > left) {
    reader->ranOut = 1;
    wanted = (tsize_t)left;
  }
  if (wanted > 0) memcpy(to, reader->bytes + reader->offset, (size_t)wanted);
  reader->offset += (toff_t)wanted;
  return wanted;
}

static inline tsize_t facekit_tiff_write(thandle_t handle, tdata_t from, tsize_t count) {
  (void)handle, (void)from, (void)count;
  return 0;
}

static inline toff_t facekit_tiff_seek(thandle_t handle, toff_t offset, int whence) {
  facekit_tiff_reader *reader = (facekit_tiff_reader *)handle;
  reader->offset = whence == SEEK_SET   ? offset
                   : whence == SEEK_CUR ? reader->offset + offset
                                        : reader->count + offset;
  return reader->offset;
}

/// Hands out the bytes themselves. Without this, libtiff also refuses uncompressed tiles whose size is
/// no multiple of 1,024, because it then compares that size with the size of its own buffer.
static inline int facekit_tiff_map(thandle_t handle, tdata_t *base, toff_t *size) {
  facekit_tiff_reader *reader = (facekit_tiff_reader *)handle;
  *base = (tdata_t)reader->bytes;
  *size = reader->count;
  return 1;
}

static inline void facekit_tiff_unmap(thandle_t handle, tdata_t base, toff_t size) {
  (void)handle, (void)base, (void)size;
}

static inline int facekit_tiff_nothing(thandle_t handle) {
  (void)handle;
  return 0;
}

static inline toff_t facekit_tiff_size(thandle_t handle) {
  return ((facekit_tiff_reader *)handle)->count;
}

/// Reads the first directory. No single allocation of libtiff exceeds `limit` bytes. Returns 0 on
/// success; `reader` must not move until the end.
static inline int facekit_tiff_open(
    facekit_tiff_reader *reader, const unsigned char *bytes, size_t count, long long limit) {
  reader->bytes = bytes;
  reader->count = count;
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return 1;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)limit);
  TIFFOpenOptionsSetErrorHandlerExtR(options, facekit_tiff_error, reader);
  TIFFOpenOptionsSetWarningHandlerExtR(options, facekit_tiff_warning, reader);
  reader->tiff = TIFFClientOpenExt(
      "TIFF", "r", reader, facekit_tiff_read, facekit_tiff_write, facekit_tiff_seek,
      facekit_tiff_nothing, facekit_tiff_size, facekit_tiff_map, facekit_tiff_unmap, options);
  TIFFOpenOptionsFree(options);
  if (!reader->tiff) return 1;
  TIFFGetField(reader->tiff, TIFFTAG_IMAGEWIDTH, &reader->width);
  TIFFGetField(reader->tiff, TIFFTAG_IMAGELENGTH, &reader->height);
  unsigned short orientation = 1;
  TIFFGetFieldDefaulted(reader->tiff, TIFFTAG_ORIENTATION, &orientation);
  reader->orientation = orientation;
  void *xmp = NULL;
  uint32_t xmpCount = 0;
  if (TIFFGetField(reader->tiff, TIFFTAG_XMLPACKET, &xmpCount, &xmp)) {
    reader->xmp = (const unsigned char *)xmp;
    reader->xmpCount = xmpCount;
  }
  reader->pieceBytes =
      TIFFIsTiled(reader->tiff) ? TIFFTileSize64(reader->tiff) : TIFFStripSize64(reader->tiff);
  return 0;
}

/// Reads all pixels as R, G, B, A bytes in the order they are stored, into `width · height` words.
/// Returns 0 on success.
static inline int facekit_tiff_rows(facekit_tiff_reader *reader, unsigned int *rgba) {
  TIFF *tiff = reader->tiff;
  unsigned short count = 0, *kinds = NULL, samples = 1;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
  if (count > 0 && kinds) {
    reader->isPremultiplied = kinds[0] == EXTRASAMPLE_ASSOCALPHA;
    // libtiff would multiply colours by an alpha channel that is not in them yet. Told that it is, it
    // hands on what is stored.
    if (kinds[0] == EXTRASAMPLE_UNASSALPHA && count <= 8) {
      unsigned short told[8];
      memcpy(told, kinds, count * sizeof *kinds);
      told[0] = EXTRASAMPLE_ASSOCALPHA;
      TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, count, told);
    }
  }
  TIFFRGBAImage image;
  char message[1024] = "";
  if (!TIFFRGBAImageOK(tiff, message) || !TIFFRGBAImageBegin(&image, tiff, 1, message)) {
    // The reason is the caller's to show, and not the reader's error handler's.
    if (!reader->message[0]) snprintf(reader->message, sizeof reader->message, "%s", message);
    return 2;
  }
  // As stored: the caller turns it.
  image.req_orientation = image.orientation;
  // The high byte of 16-bit samples, as everywhere in this package; libtiff would round.
  if (image.Bitdepth16To8) {
    for (int i = 0; i < 65536; ++i) image.Bitdepth16To8[i] = (unsigned char)(i >> 8);
  }
  int status = TIFFRGBAImageGet(&image, rgba, image.width, image.height) ? 0 : 1;
  TIFFRGBAImageEnd(&image);
  return status;
}

static inline void facekit_tiff_close(facekit_tiff_reader *reader) {
  if (reader->tiff) TIFFClose(reader->tiff);
  reader->tiff = NULL;
}

#endif
