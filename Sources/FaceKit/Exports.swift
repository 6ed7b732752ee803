// Pictures are a room of their own, which the codecs need without the engine; whoever imports FaceKit
// has them as well.
@_exported public import FaceKitImages
