import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import ServerHTTP

@Suite("Administration: users")
struct AdministrationUserTests {
    private typealias Request = AdministrationFixture.Request

    @Test("A help desk reads, locks and unlocks a user, and the audit says who did it, in which role and why")
    func locks() async throws {
        let stage = try await AdministrationFixture()
        let path = "/users/" + (try await stage.userID())
        let read = try await stage.send(.get, path, as: "admin:viewer")
        #expect(read.status == .ok && read.object["name"] == .string("anna"))
        let locked = try await stage.change(.patch, path, as: "admin:help-desk", #"{"status":"locked"}"#)
        #expect(locked.status == .ok && locked.object["status"] == .string("locked"))
        #expect(locked.headers[.eTag] != read.headers[.eTag])
        let record = try await stage.lastRecord()
        #expect(record["event"] == .string("ADMIN_USER_LOCKED") && record["note"] == .string("ticket 4711"))
        #expect(
            record["actor"] == .object(["accessKey": .string("admin-help-desk"), "role": .string("help-desk")]))
        let unlocked = try await stage.change(.patch, path, as: "admin:help-desk", #"{"status":"active"}"#)
        #expect(unlocked.object["status"] == .string("active"))
    }

    @Test("A change needs a reason and the version that was read; another version gets the present one")
    func preconditions() async throws {
        let stage = try await AdministrationFixture()
        let path = "/users/" + (try await stage.userID())
        let read = try await stage.send(.get, path, as: "admin:operator")
        let tag = try #require(read.headers[.eTag])
        let body = #"{"attributes":{"email":"anna@example.com"}}"#
        func change(_ reason: String?, _ version: String?) async throws -> TestResponse {
            try await stage.send(
                .patch, path, as: "admin:operator", Request(body: body, reason: reason, version: version))
        }
        for reason in [nil, "", "ab", "two  blanks", "a\u{202E}bc", String(repeating: "r", count: 257)] {
            #expect(try await change(reason, tag).status == .badRequest, "\(reason ?? "none")")
        }
        #expect(try await change("ticket", nil).status == .preconditionRequired)
        for tag in ["*", "W/\(tag)", "\(tag), \(tag)", "abc", "\"abc\""] {
            #expect(try await change("ticket", tag).status == .badRequest, "\(tag)")
        }
        let first = try await change("ticket", tag)
        #expect(first.status == .ok)
        let second = try await change("ticket", tag)
        #expect(second.status == .conflict && second.headers[.eTag] == first.headers[.eTag])
        #expect(String(buffer: second.body).contains("changedMeanwhile"))
    }

    @Test("Roles: a viewer changes nothing, a help desk neither groups nor the existence of a user")
    func roles() async throws {
        let stage = try await AdministrationFixture()
        let path = "/users/" + (try await stage.userID())
        for role in ["admin:viewer", "admin:auditor"] {
            #expect(try await stage.change(.patch, path, as: role, #"{"status":"locked"}"#).status == .forbidden)
        }
        let groups = #"{"attributes":{"groups":["staff"]}}"#
        #expect(try await stage.change(.patch, path, as: "admin:help-desk", groups).status == .forbidden)
        #expect(try await stage.change(.delete, path, as: "admin:help-desk").status == .forbidden)
        #expect(try await stage.change(.patch, path, as: "admin:operator", groups).status == .ok)
        #expect(try await stage.change(.delete, path, as: "admin:operator").status == .noContent)
        #expect(try await stage.send(.get, path, as: "admin:operator").status == .notFound)
        #expect(try await stage.lastRecord()["username"] == .string("anna"))
    }

    @Test("A key of the service opens nothing here, a key of an administrator nothing there, and no key is 401")
    func keys() async throws {
        let stage = try await AdministrationFixture()
        #expect(try await stage.send(.get, "/users", as: "service").status == .forbidden)
        #expect(try await stage.send(.get, "/users", as: nil).status == .unauthorized)
        #expect(try await stage.send(.get, "/users", as: "unknown").status == .unauthorized)
        let there = try await stage.server.test { client in
            try await client.post(
                "/nevisfido/token/create/authentication", #"{"op":"Auth","context":"{\"username\":\"anna\"}"}"#,
                type: "application/json", accept: "application/json",
                headers: [.authorization: "Bearer \(AdministrationFixture.text("admin:operator"))"])
        }
        #expect(there.status == .forbidden)
    }

    @Test("On the socket the account of the server is an operator, whom a command may name")
    func socket() async throws {
        let stage = try await AdministrationFixture()
        let added = try await stage.send(
            .post, "/users", as: nil,
            Request(
                body: #"{"name":"kim"}"#, reason: "new colleague",
                account: #"{"uid":1000,"login":"root","sudoUser":"eve"}"#, isLocal: true))
        #expect(added.status == .created && added.headers[.eTag] != nil)
        #expect(
            try await stage.lastRecord()["actor"]
                == .object([
                    "uid": .integer(1000), "login": .string("root"), "sudoUser": .string("eve"),
                    "role": .string("operator"),
                ]))
        let again = try await stage.send(
            .post, "/users", as: nil, Request(body: #"{"name":"kim"}"#, reason: "again", isLocal: true))
        #expect(again.status == .conflict)
        let listed = try await stage.send(.get, "/users?limit=1", as: nil, Request(isLocal: true))
        #expect(listed.object["next"] == .string("anna"))
    }

    @Test("A password that cannot be one is refused in words; an operator sets one, which ends the logins")
    func passwords() async throws {
        let stage = try await AdministrationFixture()
        let path = "/passwords/" + (try await stage.userID())
        func set(_ body: String, as role: String = "admin:operator") async throws -> TestResponse {
            try await stage.send(.post, path, as: role, Request(body: body, reason: "forgotten"))
        }
        let long = String(repeating: "p", count: 1_025)
        for (body, status) in [
            (#"{"password":""}"#, 422), (#"{"password":"\#(long)"}"#, 422), ("{}", 400), (#"{"password":1}"#, 400),
        ] {
            #expect(try await Int(set(body).status.code) == status, "\(body.prefix(20))")
        }
        #expect(try await set(#"{"password":"long enough"}"#, as: "admin:help-desk").status == .forbidden)
        #expect(try await set(#"{"password":"long enough"}"#).status == .noContent)
        let record = try await stage.lastRecord()
        #expect(record["event"] == .string("ADMIN_PASSWORD_SET") && record["note"] == .string("forgotten"))
    }

    @Test("A search finds users by the beginning of names, addresses and groups, page by page")
    func search() async throws {
        let stage = try await AdministrationFixture()
        let users = stage.server.services.users
        for name in ["bea", "ben", "berta", "carl"] {
            let user = try await users.add(name: name, externalID: "ext-\(name)")
            _ = try await users.change(
                [.email: .string("\(name)@Example.com"), .groups: .array([.string("Staff")])], of: user)
        }
        func found(_ query: String) async throws -> (text: String, next: String) {
            let answer = try await stage.send(.get, "/users?\(query)", as: "admin:viewer")
            guard case .array(let users)? = answer.object["users"] else {
                return ("\(answer.status.code) \((try? answer.object.string("member")) ?? "")", "")
            }
            let names = try users.map { try $0.asObject().string("name") }
            return (names.joined(separator: " "), try answer.object.optionalString("next") ?? "")
        }
        #expect(try await found("search=be") == ("bea ben berta", ""))
        let first = try await found("name=BE&limit=2")
        #expect(first.text == "bea ben" && !first.next.isEmpty)
        #expect(try await found("name=be&limit=2&after=\(first.next)") == ("berta", ""))
        #expect(try await found("search=ext-carl") == ("carl", ""))
        #expect(try await found("email=carl@example.com") == ("carl", ""))
        #expect(try await found("groups=staff").text.split(separator: " ").sorted() == ["bea", "ben", "berta", "carl"])
        #expect(try await found("family_name=be") == ("", ""))
        #expect(try await found("search=") == ("400 search", ""))
        #expect(try await found("search=be&email=b") == ("400 search", ""))
        #expect(try await found("email=carl&after=\(first.next)") == ("400 after", ""))
        #expect(try await found("serach=be") == ("400 serach", ""))
    }

    @Test("A query that cannot be read or is wrong is told as such, with the name of the parameter")
    func queries() async throws {
        let stage = try await AdministrationFixture()
        for (path, name) in [
            ("/users?search=%zz", "search"), ("/users?limit=1&limit=2", "limit"), ("/users?limit=0", "limit"),
            ("/users?search=%FF", "search"), ("/sessions", "user"), ("/audit?since=now", "since"),
            ("/audit?position=x", "position"), ("/audit?after=x", "after"), ("/messages?state=new", "state"),
            ("/audit-records?after=-1", "after"),
            ("/users?%zz=1", ""), ("/users?\(String(repeating: "n", count: 41))=1", ""),
        ] {
            let answer = try await stage.send(.get, path, as: "admin:operator")
            let member = try answer.object.optionalString("member") ?? ""
            #expect(answer.status == .badRequest && member == name, "\(path)")
            let message = try answer.object.string("message")
            #expect(
                message.contains(name.isEmpty ? "query" : "parameter \(name)") && !message.contains("body"), "\(path)")
        }
        let wrongBody = try await stage.send(
            .post, "/users", as: "admin:operator", Request(body: #"{"name":7}"#, reason: "new colleague"))
        #expect(try wrongBody.object.string("message").contains("member name"))
    }

    @Test("With own users a key reaches only those whom it has added")
    func ownUsers() async throws {
        let stage = try await AdministrationFixture { $0.outOfBand.hasOwnUsers = true }
        let added = try await stage.send(
            .post, "/users", as: "admin:operator", Request(body: #"{"name":"kim"}"#, reason: "new colleague"))
        let id = try added.object.string("id")
        #expect(try await stage.send(.get, "/users/\(id)", as: "admin:operator").status == .ok)
        #expect(try await stage.send(.get, "/users/\(id)", as: "admin:help-desk").status == .notFound)
        let path = "/users/" + (try await stage.userID())
        #expect(try await stage.change(.delete, path, as: "admin:operator").status == .preconditionRequired)
        let tag = added.headers[.eTag]
        let other = try await stage.send(
            .delete, path, as: "admin:operator", Request(reason: "ticket", version: tag))
        #expect(other.status == .notFound)
        let listed = try await stage.send(.get, "/users", as: "admin:operator")
        #expect(!String(buffer: listed.body).contains("anna") && String(buffer: listed.body).contains("kim"))
        // A path takes a name as well, and a list of phones or keys every user: both reach no further.
        #expect(try await stage.send(.get, "/users/kim", as: "admin:operator").status == .ok)
        #expect(try await stage.send(.get, "/users/kim", as: "admin:help-desk").status == .notFound)
        _ = try await AdministrationObjects(of: nil, in: stage)
        _ = try await AdministrationObjects(of: "admin:help-desk", in: stage)
        for (path, member) in [("/devices", "devices"), ("/credentials", "credentials"), ("/passkeys", "passkeys")] {
            let foreign = try await stage.send(.get, path, as: "admin:operator")
            #expect(foreign.status == .ok && String(buffer: foreign.body).contains("\"\(member)\":[]"))
            let own = String(buffer: try await stage.send(.get, path, as: "admin:help-desk").body)
            #expect(own.contains("\"userName\":") && !own.contains("\"\(member)\":[]"))
        }
    }
}
