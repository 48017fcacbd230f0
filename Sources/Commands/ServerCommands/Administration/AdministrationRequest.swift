import ArgumentParser
import BackendAPI
import CommandSupport
import Octets
import ServerAdministration
import ServerCore
import StrictJSON
import StrictYAML

/// Request to the administration API, as the words of a command line say it.
struct AdministrationRequest {
    let operation: AdministrationOperation
    let object: String?
    private var query: [(name: String, value: String)] = []
    /// Type and content of the body; nil for a request without one.
    private(set) var body: (type: MediaType, content: [UInt8])?
    private(set) var reason: String?
    var version: ObjectVersion?
    /// Position behind which a page begins.
    var position: String?

    /// Reads an operation and its words; with a file as body all members are parameters of the address.
    ///
    /// Throws `ValidationError` for what no server could take.
    init(_ name: String, _ words: [String], hasFile: Bool) throws {
        let operation = AdministrationOperation.allCases.first { $0.word.hasSameOctets(as: name) }
        guard let operation else { throw Self.unknown(name) }
        self.operation = operation
        var rest = words[...]
        object = operation.endpoint.parameter == nil ? nil : rest.popFirst()
        if let parameter = operation.endpoint.parameter, object?.isEmpty != false {
            throw ValidationError("\(operation.word) needs an identifier (\(parameter)) behind its name.")
        }
        let isJSON = operation.endpoint.requestTypes.contains(.json) && !hasFile
        var members: JSONObject = [:]
        for word in rest {
            let given = try GivenMember(word)
            if isJSON {
                guard let joined = members.setting(given.path[...], given.value) else {
                    throw ValidationError("\(ForeignText.name(word)): the member is given twice.")
                }
                members = joined
            } else {
                query.append((given.name, given.text))
            }
        }
        if isJSON { body = (.json, JSONWriter.write(.object(members))) }
        if hasFile, operation.endpoint.requestTypes.isEmpty { throw ValidationError("\(name) takes no --body.") }
        if body == nil, !hasFile, !operation.endpoint.requestTypes.isEmpty {
            throw ValidationError("\(operation.word) needs a file: --body.")
        }
    }

    private static func unknown(_ name: String) -> ValidationError {
        let nearest = Suggestion.nearest(to: name, among: AdministrationOperation.allCases.map(\.word))
        return ValidationError(
            "there is no operation \(ForeignText.name(name)); " + (nearest.map { "did you mean \($0)? " } ?? "")
                + "\"signet-server admin\" lists them.")
    }

    mutating func say(why text: String?) throws {
        guard let text else {
            guard !operation.needsReason else {
                throw ValidationError("\(operation.word) changes something: say why with --reason.")
            }
            return
        }
        reason = try Self.reason(text)
    }

    static func reason(_ text: String) throws(ValidationError) -> String {
        guard let line = ShownText.line(text, AdministrativeAct.reasonCounts) else {
            throw ValidationError("--reason has 3 to 256 visible characters, without stray blanks.")
        }
        return line
    }

    /// Begins a list behind a position, with pages of this size.
    mutating func turn(to after: String?, limit: Int) {
        position = after
        query.append(("limit", String(limit)))
    }

    mutating func take(version text: String?) throws {
        guard let text else { return }
        guard let version = ObjectVersion(entityTag: text) ?? ObjectVersion(entityTag: "\"\(text)\"") else {
            throw ValidationError("--if-match is the version that the command has shown.")
        }
        self.version = version
    }

    /// Takes a file as the body, by the ending of its name where the operation takes several types.
    mutating func take(bodyIn path: String) throws {
        guard let content = PosixFiles().contents(of: path) else {
            throw CommandFailure.local("fileUnusable", "cannot read \(path), or it is longer than 16 MiB (--body)")
        }
        let types = operation.endpoint.requestTypes
        let ending = path.split(separator: ".").last.map(String.init) ?? ""
        body = (types.first { $0.essence.hasSuffix("/" + ending) } ?? types.first).map { ($0, content) }
    }

    /// Request that tells the version which this one has to name; nil where none is needed, or it is known.
    var readerOfVersion: AdministrationRequest? {
        guard operation.needsVersion, version == nil else { return nil }
        return operation.reader.map { AdministrationRequest($0, object) }
    }

    /// Request for an operation on an object; a parameter without a value is left out.
    init(
        _ operation: AdministrationOperation, _ object: String? = nil, query: KeyValuePairs<String, String?> = [:],
        members: JSONObject? = nil
    ) {
        self.init(operation, object, parameters: query.map { ($0.key, $0.value) })
        body = members.map { (.json, JSONWriter.write(.object($0))) }
    }

    init(_ operation: AdministrationOperation, _ object: String? = nil, parameters: [(String, String?)]) {
        (self.operation, self.object) = (operation, object)
        query = parameters.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Parameters of the address.
    var parameters: [(name: String, value: String)] {
        guard let position else { return query }
        return query.filter { !$0.name.hasSameOctets(as: "after") } + [("after", position)]
    }

    /// Path and query.
    var target: String {
        let path = object.map(operation.endpoint.path(naming:)) ?? operation.endpoint.path
        let fields = parameters.map { PathComponent.encode($0.name) + "=" + PathComponent.encode($0.value) }
        return path + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }
}

/// Word of a command line that gives a member: `NAME=TEXT` or `NAME:=JSON`.
private struct GivenMember {
    let name: String
    /// The parts of the name between its dots.
    let path: [String]
    let text: String
    let value: JSONValue

    init(_ word: String) throws {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isJSON = parts[0].hasSuffix(":")
        name = isJSON ? String(parts[0].dropLast()) : parts[0]
        path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !path.contains("") else {
            throw ValidationError("\(ForeignText.name(word)) is not of the form NAME=VALUE or NAME:=JSON.")
        }
        text = parts[1]
        if isJSON {
            guard let value = try? JSONParser.parse(Array(text.utf8)) else {
                throw ValidationError("\(ForeignText.name(word)): the value is no JSON; a text is given by NAME=VALUE.")
            }
            self.value = value
        } else {
            value = .string(text)
        }
    }
}

extension JSONObject {
    /// The object with a value at a path of names; nil where something stands already.
    fileprivate func setting(_ path: ArraySlice<String>, _ value: JSONValue) -> JSONObject? {
        guard let name = path.first else { return nil }
        let rest = path.dropFirst()
        var inner: JSONObject = [:]
        switch self[name] {
        case nil: break
        case .object(let object)? where !rest.isEmpty: inner = object
        default: return nil
        }
        guard !rest.isEmpty else { return JSONObject(distinct: members + [Member(name, value)]) }
        guard let changed = inner.setting(rest, value) else { return nil }
        let others = members.filter { !$0.name.hasSameOctets(as: name) }
        return JSONObject(distinct: others + [Member(name, .object(changed))])
    }
}
