// Whoever decodes pictures wants to hold them.
@_exported public import FaceKitImages
