import ServerCore
import StrictJSON
import UAFService

/// Import of users: CSV or JSON Lines, all lines or none.
extension AdministrationService {
    func importUsers(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: ["skip-bad-lines"])
        guard let flag = Bool(call.query["skip-bad-lines"] ?? "false") else { throw .malformed(["skip-bad-lines"]) }
        guard call.reach == nil else { throw .rule("with own users, import at the socket of the server") }
        let file: UserImportFile
        do throws(UserImportFile.Fault) {
            file = try UserImportFile(call.body)
        } catch {
            throw .rule("the body \(error.words)")
        }
        guard file.badLines.isEmpty || flag else { return Self.refusal(file.badLines) }
        let outcome = try await passing { () async throws(ServerError) in
            try await UserImport(services).run(file.lines, skipsBadLines: flag)
        }
        let bad = (file.badLines + outcome.badLines).sorted { $0.number < $1.number }
        guard bad.isEmpty || flag else { return Self.refusal(bad) }
        return AdministrationAnswer([
            "added": .integer(outcome.added), "changed": .integer(outcome.changed),
            "unchanged": .integer(outcome.unchanged), "badLines": Self.json(bad),
        ])
    }

    /// Answer that names each bad line; nothing was written.
    private static func refusal(_ lines: [UserImport.BadLine]) -> AdministrationAnswer {
        AdministrationAnswer(
            [
                "status": .integer(422), "code": .string("badLines"),
                "message": .string("Nothing was imported, because of bad lines: \(lines.count)."),
                "badLines": json(lines),
            ], status: 422)
    }

    private static func json(_ lines: [UserImport.BadLine]) -> JSONValue {
        .array(lines.map { .object(["line": .integer($0.number), "reason": .string($0.reason)]) })
    }
}
