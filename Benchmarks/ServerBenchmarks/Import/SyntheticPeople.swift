import Crypto
import Foundation
import Octets

/// File of users with a key each, of which no one has the private one.
struct SyntheticPeople {
    let count: Int

    func write(to file: URL) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        let meter = ProgressMeter("making keys", total: count)
        var lines = ""
        for number in 0..<count {
            let key = P256.Signing.PrivateKey().publicKey.derRepresentation
            let id = SHA256.hash(data: Array("\(number)".utf8))
            lines += """
                {"type":"user","name":"user-\(number)","extId":"\(100_000_000 + number)"}
                {"type":"credential","user":"user-\(number)","aaid":"F1D0#1001","keyId":"\(Base64URL.encode(Array(id)))",\
                "publicKey":"\(Base64URL.encode(Array(key)))","publicKeyFormat":257,"algorithm":2}

                """
            if lines.utf8.count > 1 << 20 || number == count - 1 {
                try handle.write(contentsOf: Data(lines.utf8))
                lines = ""
                meter.note(number)
            }
        }
        meter.end()
    }
}
