#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension String {
    /// Whether both texts have the same UTF-8 bytes.
    ///
    /// Swift's `==` takes canonically equivalent texts for equal; FIDO UAF compares strings byte by byte without
    /// Unicode normalisation, so identifiers, names and member names are compared with this instead.
    package func hasSameOctets(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { octets in
            unsafe other.utf8.withContiguousStorageIfAvailable { unsafe octets.hasSameOctets(as: $0) }
        }
        // Only texts that Foundation keeps in another form have no contiguous storage.
        return isSame.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both buffers, of equal length, hold the same bytes.
    fileprivate func hasSameOctets(as other: Self) -> Bool {
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return unsafe memcmp(start, otherStart, count) == 0
    }
}
