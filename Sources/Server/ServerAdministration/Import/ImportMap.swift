import Octets
import ServerCore
import StrictJSON

/// Map from the columns or attributes of a record to the members of objects (docs/operate/moving.md).
///
/// A record becomes one object of each type whose condition holds. Without a file each column has the name of its member, and
/// the column `type` says which object a record is.
package struct ImportMap: Sendable {
    private static let types = ["user", "device", "credential"]
    private static let numbers: Set<String> = [
        "publicKeyFormat", "algorithm", "signCounter", "registrationCounter", "authenticatorVersion",
    ]
    private static let condition = "when"

    private struct ObjectMap: Sendable {
        let type: String
        /// Column and the value that it has to have; nil: every record.
        let condition: (column: String, value: String)?
        /// Columns by their members; a member that begins with `=` in the file has that value always.
        let columns: [(member: String, column: String)]
    }

    private let maps: [ObjectMap]?

    /// The map of a file, or the one that needs none.
    package init(_ file: [UInt8]? = nil) throws(ImportFault) {
        guard let file else {
            maps = nil
            return
        }
        guard let types = try? JSONParser.parse(file, limits: .body).asObject() else {
            throw ImportFault("is no JSON object")
        }
        if let unknown = types.members.first(where: { !Self.types.contains($0.name) }) {
            throw ImportFault("has \(ShownText.replacing(unknown.name)) beside " + Self.types.joined(separator: ", "))
        }
        // Users stand before what belongs to them, and phones before their keys.
        var maps: [ObjectMap] = []
        for type in Self.types {
            if let json = types[type] { maps.append(try Self.map(of: type, json)) }
        }
        self.maps = maps
    }

    private static func map(of type: String, _ json: JSONValue) throws(ImportFault) -> ObjectMap {
        guard let members = try? json.asObject() else { throw ImportFault("\(type) is no object") }
        var columns: [(String, String)] = []
        var condition: (String, String)?
        for member in members.members {
            guard case .string(let text) = member.value, !text.isEmpty else {
                throw ImportFault("\(type).\(ShownText.replacing(member.name)) has to be the name of a column")
            }
            guard member.name == Self.condition else {
                columns.append((member.name, text.hasPrefix("=") ? text : text.lowercased()))
                continue
            }
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw ImportFault("\(type).when has to be COLUMN=VALUE") }
            condition = (parts[0].lowercased(), parts[1])
        }
        return ObjectMap(type: type, condition: condition, columns: columns)
    }

    /// Objects of a record, whose names are in lower case.
    func content(of record: [String: [String]]) -> ImportEntry.Content {
        guard let maps else { return Self.asItIs(record) }
        let objects = maps.compactMap { map -> JSONObject? in
            if let condition = map.condition, record[condition.column]?.contains(condition.value) != true { return nil }
            var members: [(String, [String])] = []
            for (member, column) in map.columns {
                if column.hasPrefix("=") {
                    members.append((member, [String(column.dropFirst())]))
                } else if let values = record[column] {
                    members.append((member, values))
                }
            }
            return Self.object(map.type, members)
        }
        return .objects(objects)
    }

    private static let members: [String: [String]] = [
        "user": ["name", "extId", "state", "createdAt", "groups"],
        "device": [
            "user", "id", "extId", "deviceId", "name", "dispatcher", "target", "signingKey", "encryptionKey", "appId",
            "createdAt",
        ],
        "credential": [
            "user", "aaid", "keyId", "publicKey", "publicKeyFormat", "algorithm", "signCounter", "registrationCounter",
            "authenticatorVersion", "state", "createdAt", "device", "appId",
        ],
    ]

    private static func asItIs(_ record: [String: [String]]) -> ImportEntry.Content {
        guard let type = record["type"]?.first, let names = members[type] else {
            return .fault("has no column type with user, device or credential: give a --map")
        }
        let attributes = UserAttributes.Name.allCases.map { "attributes." + $0.rawValue }
        let known = names + (type == "user" ? attributes : [])
        return .objects([object(type, known.compactMap { name in record[name.lowercased()].map { (name, $0) } })])
    }

    private static func object(_ type: String, _ members: [(String, [String])]) -> JSONObject {
        var attributes: [JSONObject.Member] = []
        var plain = [JSONObject.Member("type", .string(type))]
        for (name, values) in members {
            let path = name.split(separator: ".", maxSplits: 1).map(String.init)
            if path.count == 2, path[0] == "attributes" {
                attributes.append(.init(path[1], value(values, of: path[1])))
            } else {
                plain.append(.init(name, name == "state" ? state(values, of: type) : value(values, of: name)))
            }
        }
        if !attributes.isEmpty { plain.append(.init("attributes", .object(JSONObject(distinct: attributes)))) }
        return JSONObject(distinct: plain)
    }

    /// Value of a member; groups stand as several values, or as one with semicolons between them.
    private static func value(_ values: [String], of member: String) -> JSONValue {
        let first = values.first ?? ""
        switch member {
        case "groups":
            let groups = values.count == 1 ? first.split(separator: ";").map(String.init) : values
            return .array(groups.map { .string($0) })
        case "email_verified": return .bool(first == "true")
        case _ where numbers.contains(member): return Int64(first).map { .integer($0) } ?? .string(first)
        default: return .string(first)
        }
    }

    /// State of an account or key: all that are not active count as switched off.
    private static func state(_ values: [String], of type: String) -> JSONValue {
        guard values.first != "active" else { return .string("active") }
        return .string(type == "user" ? "locked" : "disabled")
    }
}
