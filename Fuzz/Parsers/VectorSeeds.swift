package import Foundation
import Octets
import StrictJSON

/// Seed inputs for parsers from the test vectors: every string, array and object in them, and the bytes that strings
/// encode.
///
/// The vectors of bare cryptography (`wycheproof`) are left out, because no parser here reads their fields.
package struct VectorSeeds {
    private static let limits = JSONLimits(
        byteCount: 64 << 20, depth: 64, elementCount: 1 << 20, nameByteCount: 4096)
    private static let inputByteLimit = 8 << 10

    /// Every distinct byte string, in the order in which it was found.
    package private(set) var inputs: [[UInt8]] = []
    private var known: Set<[UInt8]> = []

    /// Reads every JSON file below a folder; a file that is not strict JSON is an input itself.
    package init(below folder: URL) {
        guard let files = FileManager.default.enumerator(atPath: folder.path()) else { return }
        let names = files.compactMap { $0 as? String }.filter {
            $0.hasSuffix(".json") && !$0.hasPrefix("wycheproof/")
        }.sorted()
        for name in names {
            guard let content = FileManager.default.contents(atPath: folder.appending(path: name).path()) else {
                continue
            }
            let bytes = [UInt8](content)
            guard let document = try? JSONParser.parse(bytes, limits: Self.limits) else {
                add(bytes)
                continue
            }
            dig(document)
        }
    }

    private mutating func dig(_ document: JSONValue) {
        var waiting = [document]
        while let value = waiting.popLast() {
            switch value {
            case .string(let text):
                add(Array(text.utf8))
                if let octets = try? Base64URL.decode(text) { add(octets) }
                if let octets = try? Hex.decode(text) { add(octets) }
            case .array(let elements):
                add(JSONWriter.write(value))
                waiting.append(contentsOf: elements)
            case .object(let object):
                add(JSONWriter.write(value))
                waiting.append(contentsOf: object.members.map(\.value))
            case .null, .bool, .number: break
            }
        }
    }

    private mutating func add(_ bytes: [UInt8]) {
        guard bytes.count <= Self.inputByteLimit, known.insert(bytes).inserted else { return }
        inputs.append(bytes)
    }
}
