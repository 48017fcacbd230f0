import HardwareKeys
import Octets
import UAF

/// The inside of the store's file (lengths and numbers little-endian): installation token 32, device information with
/// its length (0xFFFFFFFF for none), number of credentials, then each credential; number of unfinished keys, then stage and
/// name of each.
extension StoredCredentials {
    private static let absence = UInt32.max

    /// Everything as bytes.
    var octets: [UInt8] {
        var writer = OctetWriter()
        writer.write(installation.octets)
        if let deviceInformation {
            writer.writeCounted(deviceInformation)
        } else {
            writer.writeUInt32LittleEndian(Self.absence)
        }
        writer.writeUInt32LittleEndian(UInt32(entries.count))
        for entry in entries { entry.write(to: &writer) }
        writer.writeUInt32LittleEndian(UInt32(unfinished.count))
        for key in unfinished {
            writer.writeUInt8(key.stage.rawValue)
            writer.write(key.key.bytes)
        }
        return writer.bytes
    }

    /// Reads what ``octets`` made; the file around it was authenticated, and still nothing is taken on trust.
    init(octets: [UInt8]) throws(CredentialStoreError) {
        do {
            var reader = OctetReader(octets)
            let token = InstallationToken(Array(try reader.read(count: InstallationToken.byteCount)))
            let information = try Self.readDeviceInformation(&reader)
            let count = try reader.readUInt32LittleEndian()
            guard count <= Self.countLimit else { throw CredentialStoreError.damaged }
            var entries: [StoredCredential] = []
            for _ in 0..<count { entries.append(try StoredCredential(from: &reader)) }
            let unfinished = try Self.readUnfinished(&reader)
            try reader.finish()
            self.init(
                installation: token, deviceInformation: information, entries: entries, unfinished: unfinished)
        } catch {
            throw .damaged
        }
    }

    private static func readUnfinished(_ reader: inout OctetReader) throws -> [UnfinishedKey] {
        let count = try reader.readUInt32LittleEndian()
        guard count <= Self.countLimit else { throw CredentialStoreError.damaged }
        var keys: [UnfinishedKey] = []
        for _ in 0..<count {
            let stage = UnfinishedKey.Stage(rawValue: try reader.readUInt8())
            let key = KeyReference(bytes: Array(try reader.read(count: KeyReference.byteCount)))
            guard let stage, let key else { throw CredentialStoreError.damaged }
            keys.append(UnfinishedKey(key: key, stage: stage))
        }
        return keys
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

    /// Appends eight bytes, least significant first.
    mutating func writeInt64LittleEndian(_ value: Int64) {
        let bits = UInt64(bitPattern: value)
        writeUInt32LittleEndian(UInt32(truncatingIfNeeded: bits))
        writeUInt32LittleEndian(UInt32(truncatingIfNeeded: bits >> 32))
    }
}

extension OctetReader {
    /// Takes a number of bytes, then so many bytes.
    mutating func readCounted() throws(OctetError) -> [UInt8] {
        let count = try readUInt32LittleEndian()
        return Array(try read(count: Int(count)))
    }

    /// Takes eight bytes, least significant first.
    mutating func readInt64LittleEndian() throws(OctetError) -> Int64 {
        let low = try readUInt32LittleEndian()
        let high = try readUInt32LittleEndian()
        return Int64(bitPattern: UInt64(low) | UInt64(high) << 32)
    }
}
