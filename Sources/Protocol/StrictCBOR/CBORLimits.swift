/// Resource limits of a CBOR reader.
package struct CBORLimits: Sendable, Hashable {
    package var byteCount: Int
    package var depth: Int
    /// Elements of one array, and members of one map.
    package var elementCount: Int

    package init(byteCount: Int, depth: Int, elementCount: Int) {
        self.byteCount = byteCount
        self.depth = depth
        self.elementCount = elementCount
    }

    /// An attestation statement: 64 KiB, 4 levels (the limit of CTAP 2, section 8), 64 elements.
    package static let statement = CBORLimits(byteCount: 64 * 1024, depth: 4, elementCount: 64)
}
