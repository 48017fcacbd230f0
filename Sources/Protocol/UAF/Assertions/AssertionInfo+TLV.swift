import Octets

extension AssertionInfo {
    /// Reads the fields that registrations and authentications have in common.
    init(from reader: inout OctetReader) throws(OctetError) {
        self.init(
            authenticatorVersion: try reader.readUInt16LittleEndian(),
            mode: AuthenticationMode(rawValue: try reader.readUInt8()),
            signatureAlgorithm: AuthenticationAlgorithm(rawValue: try reader.readUInt16LittleEndian()))
    }

    /// The value of the element, with the key format that a registration adds.
    func octets(publicKeyFormat: PublicKeyFormat? = nil) -> [UInt8] {
        var writer = OctetWriter(capacity: 7)
        writer.writeUInt16LittleEndian(authenticatorVersion)
        writer.writeUInt8(mode.rawValue)
        writer.writeUInt16LittleEndian(signatureAlgorithm.rawValue)
        if let publicKeyFormat { writer.writeUInt16LittleEndian(publicKeyFormat.rawValue) }
        return writer.bytes
    }
}
