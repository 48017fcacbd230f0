import Octets
import StrictJSON

/// Position in all chains of the audit, as a text that a follower hands back.
package struct AuditPosition: Sendable, Hashable {
    private static let limits = JSONLimits(byteCount: 64 * 1_024, depth: 2)

    /// Number of the last record that was read of each chain.
    package var places: [String: Int64]

    /// Position before the first record, unless `places` says otherwise.
    package init(_ places: [String: Int64] = [:]) { self.places = places }

    /// Nil for a text that is no position.
    package init?(text: String) {
        guard let octets = try? Base64URL.decode(text),
            let members = try? JSONParser.parse(octets, limits: Self.limits).asObject().members
        else { return nil }
        places = [:]
        for member in members {
            guard case .number(let number) = member.value, let place = number.integer, place >= 0 else { return nil }
            places[member.name] = place
        }
    }

    package var text: String {
        let members = places.sorted { $0.key < $1.key }.map { JSONObject.Member($0.key, .integer($0.value)) }
        return Base64URL.encode(JSONWriter.write(.object(JSONObject(distinct: members))))
    }
}
