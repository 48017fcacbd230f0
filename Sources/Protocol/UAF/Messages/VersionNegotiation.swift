/// Choice of the protocol version.
///
/// FIDO UAF Protocol 1.1, 3.4.6.1; FIDO UAF ASM API 1.1, 3.6.
public enum VersionNegotiation {
    /// The highest version that is both offered and supported.
    ///
    /// Throws ``MessageError/emptyMessage`` when nothing is offered, ``MessageError/unsupportedVersion`` when nothing
    /// fits.
    public static func highest(
        of offered: [ProtocolVersion], supported: Set<ProtocolVersion>
    ) throws(MessageError) -> ProtocolVersion {
        guard !offered.isEmpty else { throw .emptyMessage }
        guard let version = offered.filter(supported.contains).max() else { throw .unsupportedVersion }
        return version
    }
}
