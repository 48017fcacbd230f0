/// Resource limits of a reader.
package struct JSONLimits: Sendable, Hashable {
    package var byteCount: Int
    package var depth: Int
    /// Elements of one array, and members of one object.
    package var elementCount: Int
    /// Length of one member name in bytes of UTF-8.
    package var nameByteCount: Int

    package init(byteCount: Int, depth: Int, elementCount: Int = 1024, nameByteCount: Int = 256) {
        self.byteCount = byteCount
        self.depth = depth
        self.elementCount = elementCount
        self.nameByteCount = nameByteCount
    }

    /// A FIDO UAF message or transport dictionary: 256 KiB, 16 levels.
    package static let message = JSONLimits(byteCount: 256 * 1024, depth: 16)
    /// A body on a UAF route: 64 KiB, 16 levels.
    package static let body = JSONLimits(byteCount: 64 * 1024, depth: 16)
    /// A file that an operator gives us, such as metadata: 4 MiB, 32 levels.
    package static let document = JSONLimits(byteCount: 4 * 1024 * 1024, depth: 32, elementCount: 65_536)
}
