import StrictJSON

/// Entries of a metadata file, each read by itself: an entry that cannot be read is left out, and the others stay.
package struct MetadataEntries: Sendable, Hashable {
    /// Entry that is left out.
    package struct LeftOut: Sendable, Hashable {
        /// Place in the list, from 1.
        package let number: Int
        /// Model that it is about; nil where that cannot be read either.
        package let aaid: AAID?
        package let error: MessageError
    }

    package private(set) var statements: [MetadataStatement] = []
    /// Entries that could not, among them entries of other protocol families.
    package private(set) var leftOut: [LeftOut] = []

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Reads a file that holds one statement or an array of them; a byte order mark before it is ignored.
    ///
    /// Throws ``MessageError`` for what is no JSON, and for a single statement that cannot be read.
    package init(document: [UInt8]) throws(MessageError) {
        let text = document.starts(with: Self.byteOrderMark) ? Array(document.dropFirst(3)) : document
        let json: JSONValue
        do throws(StrictJSONError) {
            json = try JSONParser.parse(text, limits: .document)
        } catch {
            throw MessageError(error)
        }
        guard case .array(let entries) = json else {
            do throws(JSONTypeError) {
                statements = [try MetadataStatement(json: json, rules: .strict)]
            } catch {
                throw MessageError(error)
            }
            return
        }
        for (index, entry) in entries.enumerated() {
            do throws(JSONTypeError) {
                statements.append(try MetadataStatement(json: entry, rules: .strict))
            } catch {
                leftOut.append(
                    LeftOut(
                        number: index + 1, aaid: Self.aaid(of: entry), error: MessageError(error.inside(String(index))))
                )
            }
        }
    }

    private static func aaid(of entry: JSONValue) -> AAID? {
        guard case .object(let members) = entry, case .string(let text) = members["aaid"] else { return nil }
        return AAID(text)
    }
}
