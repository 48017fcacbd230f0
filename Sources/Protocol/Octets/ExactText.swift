extension String {
    /// Whether both texts have the same UTF-8 bytes.
    ///
    /// Swift's `==` takes canonically equivalent texts for equal; FIDO UAF compares strings byte by byte without
    /// Unicode normalisation, so identifiers, names and member names are compared with this instead.
    package func hasSameOctets(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
