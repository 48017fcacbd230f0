import ArgumentParser
import CommandSupport
import ServerAdministration
import ServerCore
import StrictJSON
import TestSupport
import Testing

@testable import ServerCommands

/// The generic command of the administration API: what it makes of words, and of what any server answers.
@Suite("signet-server admin: words of a command line, and answers of any server")
struct AdminRequestTests {
    private static let userID = "AAAAAAAAAAAAAAAAAAAAAA"

    private func parsed(_ words: String...) -> String? {
        do {
            _ = try AdminCommand.parse(words)
            return nil
        } catch {
            return AdminCommand.message(for: error)
        }
    }

    @Test("Every operation of the table has a name of its own, and the list of them says who may ask for it")
    func catalogue() {
        let words = AdministrationOperation.allCases.map(\.word)
        #expect(Set(words).count == words.count && words.contains("change-user"))
        let listed = AdministrationOperation.catalogue.text.description
        #expect(words.allSatisfy { listed.contains("\n\($0) ") })
        #expect(listed.contains("help-desk, operator") && listed.contains("PATCH /users/{userId}"))
        #expect(AdminCommand.helpMessage(columns: 120).contains("remove-user ID"))
    }

    @Test("Words become the path, members of the body, or parameters of the address")
    func words() throws {
        let changed = try AdministrationRequest(
            "change-user",
            [Self.userID, "status=locked", "attributes.email=a=b@example.com", #"attributes.groups:=["x"]"#],
            hasFile: false)
        #expect(changed.target == "/admin/v1/users/\(Self.userID)")
        #expect(
            changed.body.map { String(decoding: $0.content, as: UTF8.self) }
                == #"{"status":"locked","attributes":{"email":"a=b@example.com","groups":["x"]}}"#)
        #expect(changed.readerOfVersion?.operation == .user)
        var listed = try AdministrationRequest("list-users", ["limit=2", "after=a&b/ü"], hasFile: false)
        #expect(listed.target == "/admin/v1/users?limit=2&after=a%26b%2F%C3%BC" && listed.body == nil)
        listed.position = "kim"
        #expect(listed.target == "/admin/v1/users?limit=2&after=kim")
        #expect(try AdministrationRequest("user", ["../x"], hasFile: false).target == "/admin/v1/users/..%2Fx")
    }

    @Test("What no server could take is refused as wrong usage, and says what helps")
    func usage() {
        #expect(parsed("change-usr", "x")?.contains("did you mean change-user?") == true)
        #expect(parsed("user")?.contains("needs an identifier (userId)") == true)
        #expect(parsed("change-user", "x", "status=locked")?.contains("say why with --reason") == true)
        #expect(parsed("change-user", "x", "status", "--reason", "why not")?.contains("NAME=VALUE") == true)
        #expect(parsed("change-user", "x", "status:=lo", "--reason", "why not")?.contains("no JSON") == true)
        #expect(parsed("change-user", "x", "a=1", "a.b=1", "--reason", "why not")?.contains("given twice") == true)
        #expect(parsed("change-user", "x", "a=1", "--reason", "a\nb")?.contains("visible characters") == true)
        #expect(parsed("user", "x", "--if-match", "abc")?.contains("has shown") == true)
        #expect(parsed("list-users", "--server", "https://localhost")?.contains("--key-file") == true)
        for address in [
            "http://example.com", "http://127.0.0.1:80@example.com", "ftp://localhost", "localhost:1",
            "https://localhost/x", "https://localhost?x",
        ] {
            #expect(
                parsed("list-users", "--server", address, "--key-file", "k")?.contains("https://HOST:PORT") == true,
                "\(address)")
        }
        #expect(parsed("list-users", "--server", "http://127.0.0.1:1", "--key-file", "k") == nil)
        #expect(parsed("list-users", "--ca", "f")?.contains("belong to --server") == true)
        #expect(parsed("change-user", "x", "status=locked", "--reason", "für Müller") == nil)
    }

    // MARK: - Any server

    private func answer(
        _ behaviour: RawListener.Behaviour, to words: [String] = ["list-users"]
    ) async throws -> AdministrationReply {
        let listener = try RawListener(behaviour)
        defer { listener.stop() }
        let folder = try TestSupport.TemporaryFolder()
        try PosixFiles().write(Array(String(repeating: "k", count: 40).utf8), to: folder.path + "/key", mode: 0o600)
        let client = try AdministrationClient(
            at: "http://127.0.0.1:\(listener.port)", trusting: nil, keyFile: folder.path + "/key",
            patience: behaviour == .silent ? .milliseconds(500) : .seconds(60))
        let request = try AdministrationRequest(words[0], Array(words.dropFirst()), hasFile: false)
        let reply: Result<AdministrationReply, any Error>
        do { reply = .success(try await client.answer(to: request)) } catch { reply = .failure(error) }
        try await client.close()
        return try reply.get()
    }

    private func failure(_ behaviour: RawListener.Behaviour) async throws -> CommandFailure? {
        do {
            _ = try await answer(behaviour)
            return nil
        } catch let failure as CommandFailure {
            return failure
        }
    }

    private static func http(
        _ body: String, status: String = "200 OK", type: String = "application/json", more: String = ""
    ) -> RawListener.Behaviour {
        .says(
            Array(
                ("HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\n\(more)Content-Length: \(body.utf8.count)\r\n\r\n"
                    + body).utf8))
    }

    @Test("A list is a table and names its next page; control characters of a server reach no terminal")
    func shown() async throws {
        let body =
            #"{"users":[{"id":"a","name":"\u001b[2Jan\u202ena","x":{"y":null}},{"id":"b","z":true}],"#
            + #""next":"b\n","n\u001b":["p","q"]}"#
        let text = try await answer(Self.http(body)).outcome(isWhole: false).text.description
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(!text.unicodeScalars.contains("\u{202E}"))
        #expect(text.hasPrefix("id  name"))
        #expect(text.contains(#"a   \u{1B}[2Jan\u{202E}na  -    -"#), "\(text)")
        #expect(text.contains(#"There are more: after=b\u{A}, or --all."#) && text.contains("p, q"))
        let empty = try await answer(Self.http(#"{"users":[],"next":null}"#)).outcome(isWhole: false)
        #expect(empty.text == "No users.")
    }

    @Test("Whatever is no answer of the API is told apart, and nothing of it is taken")
    func foreign() async throws {
        let long = String(repeating: " ", count: AdministrationClient.answerLimit + 1)
        let deep = String(repeating: "[", count: 100_000)
        for behaviour: RawListener.Behaviour in [
            Self.http("<html>", type: "text/html"), Self.http("no JSON"), Self.http(deep), Self.http(long),
            Self.http("{}", type: "text/plain"), Self.http("{}", type: "\u{1}"),
            Self.http("", status: "302 Found", more: "Location: http://127.0.0.1:1/\r\n"),
            Self.http("<html>", status: "404 Not Found", type: "text/html"), .says(Array("SSH-2.0-x\r\n\r\n".utf8)),
            .plainText,
        ] {
            let failure = try await failure(behaviour)
            #expect(failure?.code == "foreignAnswer" && failure?.kind == .local, "\(failure.map { "\($0)" } ?? "none")")
        }
        #expect(try await failure(.cutOff)?.code == "serverUnreachable")
        #expect(try await failure(.silent)?.code == "serverSilent")
    }

    @Test("A refusal is one short line that a server cannot shape")
    func refused() async throws {
        let sentence = String(repeating: "x", count: 10_000)
        let body = #"{"status":400,"code":"c\u001b","message":"a\nb\u001b[1m\#(sentence)","member":"m\r"}"#
        let failure = try #require(await failure(Self.http(body, status: "400 Bad Request")))
        #expect(failure.kind == .refused && failure.message.utf8.count < 500)
        #expect(
            (failure.message + failure.code).unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        let stopped = Self.http(#"{"status":503,"code":"overloaded"}"#, status: "503 Service Unavailable")
        #expect(try await self.failure(stopped)?.isRetryable == true)
    }

    @Test("A key that others may read, or that is none, is not sent")
    func keys() throws {
        let folder = try TestSupport.TemporaryFolder()
        func fault(_ content: String, mode: UInt16 = 0o600) throws -> String? {
            try PosixFiles().write(Array(content.utf8), to: folder.path + "/key", mode: mode)
            do {
                _ = try AdministrationClient(at: "http://127.0.0.1:1", trusting: nil, keyFile: folder.path + "/key")
                return nil
            } catch let failure as CommandFailure {
                return failure.message
            }
        }
        #expect(try fault("short")?.contains("no access key") == true)
        #expect(try fault(String(repeating: "k", count: 40) + "\r\nX-Other: 1")?.contains("no access key") == true)
        #expect(try fault(String(repeating: "k", count: 40), mode: 0o644)?.contains("chmod 600") == true)
    }
}
