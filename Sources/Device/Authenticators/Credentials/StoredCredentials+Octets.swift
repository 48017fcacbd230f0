import HardwareKeys
import Octets
import UAF

/// The record of the device (lengths and numbers little-endian): installation token 32, device information with its
/// length (0xFFFFFFFF for none), number of credentials, then the key of each in order of registration; number of
/// unfinished keys, then stage and name of each; the keys for servers; the departed accounts.
extension StoredCredentials {
    private static let absence = UInt32.max

    /// Everything but the credentials themselves.
    var deviceOctets: [UInt8] {
        var writer = OctetWriter()
        writer.write(installation.octets)
        if let deviceInformation {
            writer.writeCounted(deviceInformation)
        } else {
            writer.writeUInt32LittleEndian(Self.absence)
        }
        let keys = entries.map(\.key) + lost
        writer.writeUInt32LittleEndian(UInt32(keys.count))
        for key in keys { writer.write(key.bytes) }
        writer.writeUInt32LittleEndian(UInt32(unfinished.count))
        for key in unfinished {
            writer.writeUInt8(key.stage.rawValue)
            writer.write(key.key.bytes)
        }
        StoredServerKeys.write(servers, to: &writer)
        DepartedAccount.write(departed, to: &writer)
        return writer.bytes
    }

    static func readDevice(_ octets: [UInt8]) throws -> (contents: StoredCredentials, keys: [KeyReference]) {
        var reader = OctetReader(octets)
        let token = InstallationToken(Array(try reader.read(count: InstallationToken.byteCount)))
        let information = try readDeviceInformation(&reader)
        let count = try reader.readUInt32LittleEndian()
        guard count <= countLimit else { throw CredentialStoreError.damaged }
        var keys: [KeyReference] = []
        for _ in 0..<count { keys.append(try readKey(&reader)) }
        guard Set(keys).count == keys.count else { throw CredentialStoreError.damaged }
        let unfinished = try readUnfinished(&reader)
        let servers = try StoredServerKeys.read(from: &reader)
        let departed = try DepartedAccount.read(from: &reader)
        try reader.finish()
        let contents = StoredCredentials(
            installation: token, deviceInformation: information, unfinished: unfinished, servers: servers,
            departed: departed)
        return (contents, keys)
    }

    private static func readUnfinished(_ reader: inout OctetReader) throws -> [UnfinishedKey] {
        let count = try reader.readUInt32LittleEndian()
        guard count <= countLimit else { throw CredentialStoreError.damaged }
        var keys: [UnfinishedKey] = []
        for _ in 0..<count {
            guard let stage = UnfinishedKey.Stage(rawValue: try reader.readUInt8()) else {
                throw CredentialStoreError.damaged
            }
            keys.append(UnfinishedKey(key: try readKey(&reader), stage: stage))
        }
        return keys
    }

    private static func readKey(_ reader: inout OctetReader) throws -> KeyReference {
        guard let key = KeyReference(bytes: Array(try reader.read(count: KeyReference.byteCount))) else {
            throw CredentialStoreError.damaged
        }
        return key
    }

    private static func readDeviceInformation(_ reader: inout OctetReader) throws(OctetError) -> [UInt8]? {
        let count = try reader.readUInt32LittleEndian()
        guard count != absence else { return nil }
        guard let length = Int(exactly: count), length <= deviceInformationByteLimit else {
            throw .truncated(position: reader.position, needed: deviceInformationByteLimit, available: 0)
        }
        return Array(try reader.read(count: length))
    }
}

extension OctetWriter {
    /// Appends the number of bytes, then the bytes.
    mutating func writeCounted(_ octets: some Collection<UInt8>) {
        writeUInt32LittleEndian(UInt32(octets.count))
        write(octets)
    }

    mutating func writeInt64LittleEndian(_ value: Int64) {
        let bits = UInt64(bitPattern: value)
        writeUInt32LittleEndian(UInt32(truncatingIfNeeded: bits))
        writeUInt32LittleEndian(UInt32(truncatingIfNeeded: bits >> 32))
    }
}

extension OctetReader {
    mutating func readCounted() throws(OctetError) -> [UInt8] {
        let count = try readUInt32LittleEndian()
        return Array(try read(count: Int(count)))
    }

    mutating func readInt64LittleEndian() throws(OctetError) -> Int64 {
        let low = try readUInt32LittleEndian()
        let high = try readUInt32LittleEndian()
        return Int64(bitPattern: UInt64(low) | UInt64(high) << 32)
    }
}
