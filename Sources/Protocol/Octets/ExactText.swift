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

extension String {
    /// Text of UTF-8 bytes; nil unless they are well-formed (RFC 3629, section 3).
    ///
    /// `String(validating:as:)` of the standard library, which Apple platforms have from iOS 18 and macOS 15 on.
    @inlinable
    package init?(validUTF8 octets: some Collection<UInt8>) {
        if #available(iOS 18, macOS 15, *) {
            self.init(validating: octets, as: UTF8.self)
        } else {
            self.init(comparing: octets)
        }
    }

    /// The same by a comparison: decoding replaces what is malformed by a replacement character, which has other bytes.
    @usableFromInline
    package init?(comparing octets: some Collection<UInt8>) {
        let text = String(decoding: octets, as: UTF8.self)
        guard text.utf8.elementsEqual(octets) else { return nil }
        self = text
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both buffers, of equal length, hold the same bytes.
    fileprivate func hasSameOctets(as other: Self) -> Bool {
        guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
        return unsafe memcmp(start, otherStart, count) == 0
    }
}
