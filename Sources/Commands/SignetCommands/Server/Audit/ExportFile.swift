import Octets
import ServerCore
import StrictJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A new file of lines for its owner only, which is on the disk when it is finished.
struct ExportFile {
    private let path: String
    private let descriptor: Int32

    /// Makes the file; one that exists is left alone.
    init(creating path: String) throws(PosixFiles.Failure) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PosixFiles.Failure(path: path, number: errno) }
    }

    /// Writes a line.
    func append(_ line: [UInt8]) throws(PosixFiles.Failure) {
        let bytes = line + [UInt8(ascii: "\n")]
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw PosixFiles.Failure(path: path, number: errno) }
            written += count
        }
    }

    /// Waits until everything is on the disk.
    func finish() throws(PosixFiles.Failure) {
        guard fsync(descriptor) == 0, close(descriptor) == 0 else {
            throw PosixFiles.Failure(path: path, number: errno)
        }
    }
}

extension AuditRecord {
    /// The record as one line: the event as the text that its hash covers.
    var exportLine: [UInt8] {
        JSONWriter.write(
            .object([
                "chainId": .string(chainID), "sequence": .integer(sequence),
                "event": .string(String(decoding: event, as: UTF8.self)),
                "previousHash": .string(Base64URL.encode(previousHash.octets)),
                "hash": .string(Base64URL.encode(hash.octets)),
            ]))
    }
}
