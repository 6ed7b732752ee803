import Foundation

/// Writes small sound files for the fuzzer to start from, in one folder for each driver.
func writeSeeds(to folder: URL) throws {
  func write(_ bytes: [UInt8], _ driver: String, _ name: String) throws {
    let place = folder.appendingPathComponent(driver, isDirectory: true)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(bytes).write(to: place.appendingPathComponent(name))
  }

  var model = ModelBuilder.addition()
  try write(model.bytes, "model", "addition")
  try write(model.bytes, "session", "addition")

  // One tensor of every kind the reader knows.
  model.tensor(
    [2], type: 9, data: [1, 2], [4: .table([2: .floats([0.5, 0.25]), 3: .int64s([0, 0])])])
  model.tensor([2], type: 5, data: [2, 0, 0, 0, 16, 0, 0, 0, 17, 0, 0, 0, 18, 0, 0, 0, 65, 66])
  model.tensor([-1, 4], type: 3, [7: .int32s([-1, 4])])
  model.tensor(
    [2, 3], type: 9, data: [7, 8, 9],
    [
      6: .table([
        0: .int32s([1, 0]),
        2: .tables([
          [0: .int8(0), 1: .int32(3)],
          [
            0: .int8(1), 2: .uint8(1), 3: .table([0: .int32s([0, 1, 1, 3])]), 4: .uint8(3),
            5: .table([0: .bytes([1, 0, 1])]),
          ],
        ]),
      ])
    ])
  model.buffers.append([1: .uint64(64), 2: .uint64(16)])
  model.extra[7] = .tables([
    [
      0: .tables([[0: .string("x"), 1: .uint32(0)]]),
      1: .tables([[0: .string("y"), 1: .uint32(2)]]),
      2: .string("serve"),
    ]
  ])
  let metadata = FlatBuilder.buffer(
    [
      0: .string("name"), 6: .tables([[0: .string("labels.txt"), 2: .int8(2)]]),
      3: .tables([
        [
          2: .tables([
            [
              0: .string("image"), 3: .table([0: .uint8(2), 1: .table([0: .int8(1)])]),
              4: .tables([
                [0: .uint8(1), 1: .table([0: .floats([127.5]), 1: .floats([127.5])])]
              ]), 5: .table([0: .floats([1]), 1: .floats([-1])]),
            ]
          ]), 9: .tables([[0: .string("blob"), 1: .bytes([1])]]),
        ]
      ]),
    ], identifier: "M001")
  model.buffers.append([0: .bytes(metadata)])
  model.extra[6] = .tables([
    [0: .string("TFLITE_METADATA"), 1: .uint32(UInt32(model.buffers.count))]
  ])
  try write(model.bytes, "model", "everything")

  var archive = ZipBuilder([
    .init("a.tflite", model.bytes), .init("labels.txt", Array("left\nright\n".utf8)),
  ])
  try write(archive.bytes, "bundle", "archive")
  archive.comment = Array("comment".utf8)
  archive.prefix = metadata
  try write(archive.bytes, "bundle", "prefixed")
  try write(archive.bytes, "metadata", "with-labels")
  try write(metadata, "metadata", "plain")

  // {"a": 16, "b": 24}, and {"b": 1.5, "c": [3, −1]} with offsets of four bytes.
  try write(
    Array("a\0b\0".utf8) + [2, 5, 4, 2, 1, 2, 16, 24, 4, 4, 4, 0x24, 1], "options", "integers")
  try write(
    Array("b\0c\0".utf8) + [2, 3, 0xFF, 0, 2, 0, 0, 0, 12, 0, 0, 0, 14, 0, 0, 0]
      + [8, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0xC0, 0x3F, 31, 0, 0, 0, 14, 44, 10, 38, 1],
    "options", "mixed")

  try write(Array("P6\n2 1\n255\n".utf8) + [1, 2, 3, 4, 5, 6], "image", "pixmap")
  // One pixel each: the second of four colours, by codes of three bits; and red, green and blue.
  try write(
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x81, 0, 0, 9, 9, 9, 10, 20, 30, 40, 50, 60, 70, 80, 90]
      + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 0x01, 0, 0x3B], "image", "gif")
  try write(
    Array("BM".utf8) + [58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
      + [1, 0, 24, 0] + [UInt8](repeating: 0, count: 24) + [3, 2, 1, 0], "image", "bitmap")

  for (name, picture) in FixedPictures.all { try write(picture, "image", name) }

  let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }\n"
  try write(
    [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8)
      + [UInt8](repeating: 1, count: 8), "npy", "floats")
}
