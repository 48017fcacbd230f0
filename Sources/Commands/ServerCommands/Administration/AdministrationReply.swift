import BackendAPI
import CommandSupport
import Octets
import ServerAdministration
import StrictJSON

/// Answer of a server, which may be any: everything in it is foreign.
struct AdministrationReply {
    /// Proof by which the command was let in.
    enum Proof { case account, key }

    private static let limits = JSONLimits(
        byteCount: AdministrationClient.answerLimit, depth: 16, elementCount: 65_536)
    /// Longest sentence of a server that is repeated, in characters.
    private static let sentenceCount = 300
    /// Bad lines that a message names; of more it says the number.
    private static let lineCount = 20

    let operation: AdministrationOperation
    let status: Int
    let type: String?
    let version: ObjectVersion?
    let body: [UInt8]
    /// Values of the body: one, or one for each line.
    private(set) var values: [JSONValue] = []

    init(operation: AdministrationOperation, status: Int, type: String?, version: ObjectVersion?, body: [UInt8]) {
        (self.operation, self.status, self.type) = (operation, status, type)
        (self.version, self.body) = (version, body)
    }

    /// The same answer, read; throws ``CommandFailure`` for a refusal, and for what is no answer of this API.
    func done(by server: String, _ proof: Proof) throws(CommandFailure) -> AdministrationReply {
        guard (200..<300).contains(status) else { throw refusal(of: server, proof) }
        guard !body.isEmpty else { return self }
        guard let expected = operation.endpoint.responseTypes.first, hasType(expected) else {
            throw .foreignAnswer(server)
        }
        // JSON is one text; any other type is lines of it.
        let texts = expected == .json ? [body[...]] : body.split(separator: UInt8(ascii: "\n"))
        var reply = self
        for text in texts {
            guard let value = try? JSONParser.parse(Array(text), limits: Self.limits) else {
                throw .foreignAnswer(server)
            }
            reply.values.append(value)
        }
        return reply
    }

    private func hasType(_ expected: MediaType) -> Bool {
        guard let type, let read = try? MediaType(parsing: type) else { return false }
        return read.essence.hasSameOctets(as: expected.essence)
    }

    /// Position behind which the next page of a list begins; nil for the last one, and for what is no list.
    var next: String? { values.first.flatMap { try? $0.asObject() }?.text("next") }

    /// Objects of a list in the answer.
    func objects(_ name: String) -> [JSONObject] { (try? values.first?.asObject().objects(name)) ?? [] }

    /// Value at a path in the answer, as text.
    func member(_ path: String) -> String {
        (try? values.first?.asObject()).map { Self.cell(path, of: $0) } ?? "-"
    }

    // MARK: - Refusals

    private func refusal(of server: String, _ proof: Proof) -> CommandFailure {
        guard let error = try? ErrorBody(body: body), let code = error.code?.rawValue else {
            return .foreignAnswer(server)
        }
        let sentence = ForeignText.name(String((error.message ?? "").prefix(Self.sentenceCount)))
        let name = String(ForeignText.name(code).prefix(64))
        let member = error.member.flatMap { sentence.contains($0) ? nil : $0 }
        let words = remedy(for: code, member: member, proof).map { "\(sentence) \($0)" } ?? sentence + badLines
        var failure = CommandFailure.refused(name, words)
        if status >= 500 { failure.kind = .local }
        failure.isRetryable = [429, 503].contains(status)
        return failure
    }

    /// Bad lines of an import, of which a message names some.
    private var badLines: String {
        let lines = (try? JSONParser.parse(body, limits: Self.limits).asObject().objects("badLines")) ?? []
        let words = lines.prefix(Self.lineCount).map {
            " Line \(Self.cell("line", of: $0)): \(Self.cell("reason", of: $0));"
        }
        guard !words.isEmpty else { return "" }
        let more = lines.count > words.count ? [" and \(lines.count - words.count) more."] : []
        return (words + more).joined() + " Correct them, or leave them out with --skip-bad-lines."
    }

    private func remedy(for code: String, member: String?, _ proof: Proof) -> String? {
        switch (status, code) {
        case (400, ErrorCode.malformedRequest.rawValue) where member == nil && operation.needsReason:
            "A name or a value may be one that \(operation.word) does not take."
        case (400, _), (422, _): member.map { "[\(ForeignText.name(String($0.prefix(64))))]" }
        case (401, _): "The server knows no such access key: see --key-file, and out-of-band.access-keys there."
        case (403, _):
            "\(operation.word) is for: \(operation.rolesInWords)"
                + (operation.needsReason ? ", and some of what it can change for operator only" : "")
                + (proof == .key ? ". The scopes of the key are in out-of-band.access-keys." : ".")
        case (404, _): operation.lister.map { "\"signet-server \($0)\" shows what there is." }
        case (409, "changedMeanwhile"):
            operation.reader.map { "\"signet-server admin \($0.word) ID\" shows it as it is now." }
        case (428, _): "Name it with --if-match."
        case (503, ErrorCode.unavailable.rawValue): "Its log and \"signet-server doctor\" say why."
        default: nil
        }
    }

    // MARK: - Report

    /// The answer for people and programs; a list that goes on says how, unless it `isWhole`.
    func outcome(isWhole: Bool) -> CommandReport.Outcome {
        var lines: [TerminalText] = values.isEmpty ? ["Done."] : values.map(Self.text)
        if let next, !isWhole { lines.append("There are more: after=\(ForeignText.name(next)), or --all.") }
        if let version { lines.append("version: \(version.text)") }
        let isLines = operation.endpoint.responseTypes.first != .json
        return CommandReport.Outcome(
            text: TerminalText(lines),
            result: [
                "answer": isLines ? .array(values) : values.first ?? .null,
                "version": version.map { .string($0.text) },
            ])
    }

    /// The list of an answer in columns, each the path of a member of the objects; `empty` for one without any.
    func table(of name: String, _ columns: KeyValuePairs<String, String>, empty: TerminalText) -> TerminalText {
        let rows = objects(name)
        guard !rows.isEmpty else { return empty }
        return TextTable(
            head: columns.map(\.key), rows: rows.map { row in columns.map { Self.cell($0.value, of: row) } }
        ).text
    }

    /// Value at a path; of an array the values of its objects.
    private static func cell(_ path: String, of object: JSONObject) -> String {
        let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
        guard let value = object[parts[0]] else { return "-" }
        guard parts.count == 2 else { return word(value) }
        switch value {
        case .object(let inner): return cell(parts[1], of: inner)
        case .array(let elements):
            let words = elements.map { element in
                (try? element.asObject()).map { cell(parts[1], of: $0) } ?? "-"
            }
            return words.isEmpty ? "-" : words.joined(separator: ", ")
        default: return "-"
        }
    }

    private static func text(_ value: JSONValue) -> TerminalText {
        guard case .object(let object) = value else { return "\(word(value))" }
        var lines: [String] = []
        var tables: [TerminalText] = []
        for (name, value) in flat(object) {
            // A list has no identifier of its own.
            if case .array(let elements) = value, let rows = rows(elements), !rows.isEmpty || object["id"] == nil {
                tables.append(rows.isEmpty ? "No \(name)." : table(rows))
            } else if value != .null {
                lines.append("\(name): \(word(value))")
            }
        }
        // The position of the next page has its own line.
        let shown = tables.isEmpty ? lines : lines.filter { !$0.hasPrefix("next: ") }
        return TerminalText(tables + (shown.isEmpty ? [] : [TerminalText(lines: shown)]))
    }

    /// Elements that are all objects; nil for others.
    private static func rows(_ elements: [JSONValue]) -> [[(name: String, value: JSONValue)]]? {
        let objects = elements.compactMap { try? $0.asObject() }
        return objects.count == elements.count ? objects.map(flat) : nil
    }

    private static func table(_ rows: [[(name: String, value: JSONValue)]]) -> TerminalText {
        var head: [String] = []
        var known: Set<String> = []
        for (name, _) in rows.joined() where known.insert(name).inserted { head.append(name) }
        let cells = rows.map { row in
            let values = Dictionary(row.map { ($0.name, $0.value) }) { first, _ in first }
            return head.map { name in values[name].map(word) ?? "-" }
        }
        return TextTable(head: head.map { ForeignText.name($0) }, rows: cells).text
    }

    /// Members, and the members of inner objects, whose names are joined by dots.
    private static func flat(_ object: JSONObject) -> [(name: String, value: JSONValue)] {
        object.members.flatMap { member in
            guard case .object(let inner) = member.value else { return [(member.name, member.value)] }
            return flat(inner).map { (member.name + "." + $0.name, $0.value) }
        }
    }

    private static func word(_ value: JSONValue) -> String {
        switch value {
        case .null: "-"
        case .string(let text): ForeignText.name(text)
        case .array(let elements): elements.map(word).joined(separator: ", ")
        case .object, .bool, .number: ForeignText.name(JSONWriter.text(value))
        }
    }
}

extension CommandFailure {
    /// Failure for an answer that is none of the administration API of this version.
    static func foreignAnswer(_ server: String) -> CommandFailure {
        .local(
            "foreignAnswer",
            "\(server) answered, but not as the administration API of this version does: is it another program, or another "
                + "version? Nothing of the answer was taken")
    }
}
