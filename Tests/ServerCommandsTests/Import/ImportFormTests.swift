import BackendAPI
import Octets
import OpenID
import ServerAdministration
import ServerCore
import ServerPersistence
import StrictCBOR
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService
import WebAuthn

@testable import ServerCommands

@Suite("The forms of files that an import takes")
struct ImportFormTests {
    /// Lines as a file has them.
    private static func lines(_ text: String) -> MemoryLines {
        MemoryLines(text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf8) })
    }

    /// Objects and faults of a reader, as text.
    private static func told(_ reader: any ImportReader) throws -> [String] {
        var told: [String] = []
        while let entry = try reader.next() {
            switch entry.content {
            case .json(let octets): told.append("\(entry.number) \(String(decoding: octets, as: UTF8.self))")
            case .objects(let objects): told += objects.map { "\(entry.number) \(JSONWriter.text(.object($0)))" }
            case .fault(let words): told.append("\(entry.number) \(words)")
            }
        }
        return told
    }

    private static let map = Array(
        """
        {"user": {"when": "objectClass=person", "name": "uid", "extId": "entryUUID", "attributes.email": "mail",
                  "groups": "memberOf"},
         "credential": {"when": "objectClass=fidoKey", "user": "owner", "aaid": "aaid", "keyId": "keyHandle",
                        "publicKey": "publicKey", "publicKeyFormat": "=256", "algorithm": "=1",
                        "signCounter": "counter", "state": "stateName"}}
        """.utf8)

    @Test("LDIF is read with folded lines, base64, comments and several values; a map says what an entry is")
    func ldif() throws {
        let text = """
            version: 1
            # of the identity store
            dn: uid=jeff,ou=people
            objectClass: top
            objectClass: person
            uid: jeff
            mail:: amVmZkBleGFtcGxl
             LmNvbQ==
            memberOf: staff
            memberOf: admins

            dn: key=1
            objectClass: fidoKey
            OWNER: jeff
            aaid: F1D0#1001
            keyHandle:: /wD/
            counter: 7
            stateName: tmp-locked

            dn: cn=other
            objectClass: device

            dn: cn=change
            changetype: delete

            dn: cn=address
            photo:< file:///etc/passwd
            """
        let told = try Self.told(LDIFReader(Self.lines(text), ImportMap(Self.map)))
        #expect(
            told == [
                #"1 {"type":"user","name":"jeff","groups":["staff","admins"],"attributes":{"email":"jeff@example.com"}}"#,
                #"12 {"type":"credential","user":"jeff","aaid":"F1D0#1001","keyId":"_wD_","publicKeyFormat":256,"#
                    + #""algorithm":1,"signCounter":7,"state":"disabled"}"#,
                "23 is a change, not an entry", "26 has a line that is no attribute with a text in UTF-8",
            ])
    }

    @Test("CSV is read with quotes, line breaks in fields and empty fields; without a map the columns are the members")
    func csv() throws {
        let text = """
            type,NAME,extId,state,groups,attributes.name,user,aaid,algorithm
            user,jeff,,active,staff;admins,"Jeff ""J""
            Jones",,,

            credential,,,disabled,,,jeff,F1D0#1001,1
            phone,,,,,,,,
            user,"je
            """
        #expect(
            try Self.told(CSVReader(Self.lines(text), ImportMap())) == [
                #"2 {"type":"user","name":"jeff","state":"active","groups":["staff","admins"],"#
                    + #""attributes":{"name":"Jeff \"J\"\nJones"}}"#,
                #"5 {"type":"credential","user":"jeff","aaid":"F1D0#1001","algorithm":1,"state":"disabled"}"#,
                "6 has no column type with user, device or credential: give a --map",
                "7 is no row of CSV in UTF-8, or is longer than 64 KiB",
            ])
    }

    @Test("A file without a header line, and a map with what is no object, are refused as a whole")
    func unreadable() throws {
        let reader = try CSVReader(Self.lines("a,a\n1,2"), ImportMap())
        #expect(throws: ImportFault("has no header line with the name of each column once")) { try reader.next() }
        #expect(throws: ImportFault("has clients beside user, device, credential")) {
            try ImportMap(Array(#"{"clients": {}}"#.utf8))
        }
        #expect(throws: ImportFault.self) { try KeycloakReader(Array("{}".utf8)) }
    }

    // MARK: - Keycloak

    private static func realm(_ authenticator: SoftwareAuthenticator) throws -> [UInt8] {
        let key = Base64.encode(CBORWriter.write(authenticator.key.cose))
        let data: JSONObject = [
            "aaguid": .string("00000000-0000-0000-0000-000000000000"),
            "credentialId": .string(Base64.encode(authenticator.id)),
            "counter": .integer(0), "credentialPublicKey": .string(key), "attestationStatementFormat": .string("none"),
            "transports": .array([.string("INTERNAL")]),
        ]
        let label = JSONWriter.text(.string(JSONWriter.text(.object(data))))
        return Array(
            """
            {"realm": "main", "clients": [
               {"clientId": "account", "redirectUris": ["/realms/main/account/*"]},
               {"clientId": "shop", "name": "", "protocol": "openid-connect", "publicClient": false,
                "secret": "a-secret-of-sixteen-octets", "redirectUris": ["https://shop.example.com/back"],
                "attributes": {"post.logout.redirect.uris": "https://shop.example.com/##+"}},
               {"clientId": "legacy", "protocol": "saml"}],
             "users": [
               {"id": "0c1f1d5e-1f5a-4c3b-8f3e-2f6f3a1d7c55", "username": "jeff", "email": "jeff@example.com",
                "emailVerified": true, "firstName": "Jeff", "lastName": "Jones", "enabled": true,
                "createdTimestamp": 1700000000000, "attributes": {"locale": ["de"]}, "groups": ["/staff"],
                "credentials": [{"type": "password", "secretData": "{}"},
                  {"type": "webauthn-passwordless", "userLabel": "Laptop", "createdDate": 1700000001000,
                   "credentialData": \(label)}]},
               {"id": "x", "username": "gone", "enabled": false}]}
            """.utf8)
    }

    @Test("A realm of Keycloak brings clients with their secrets, users with attributes and groups, and passkeys")
    func keycloak() async throws {
        var settings = OpenIDSettings()
        settings.openID = OpenIDSettings.Provider()
        settings.openID?.passkeys = OpenIDSettings.Passkeys()
        let stage = try await ImportStage(settings: settings)
        let (authenticator, server) = (SoftwareAuthenticator(), stage.server)
        let file = try Self.realm(authenticator)
        let report = try await stage.importing(
            FileImport.Source(id: "realm", kind: "keycloak") { () throws(ImportFault) in try KeycloakReader(file) }
        ).run()
        #expect(report.progress.counts == [.users: 2, .passkeys: 1, .clients: 1, .bad: 1])
        #expect(report.badLines.map(\.reason) == ["is a client of SAML"] && report.notes.isEmpty)
        let (user, passkey, clients) = try await server.openID.read { snapshot throws(ServerTransactionFailure) in
            (
                try UserName("jeff").flatMap { name throws(ServerTransactionFailure) in try snapshot.user(named: name)
                },
                try snapshot.passkey(credential: authenticator.id), try snapshot.clients()
            )
        }
        let jeff = try #require(user)
        #expect(jeff.externalID.text == "0c1f1d5e-1f5a-4c3b-8f3e-2f6f3a1d7c55")
        #expect(jeff.createdAt == Timestamp(milliseconds: 1_700_000_000_000))
        let attributes = try await server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.attributes(of: jeff.id)?.attributes
        }
        #expect(
            attributes?.name == "Jeff Jones" && attributes?.isEmailVerified == true && attributes?.groups == ["staff"])
        let moved = try #require(passkey)
        #expect(moved.userID == jeff.id && moved.name.text == "Laptop" && moved.record.isBackupEligible == nil)
        #expect(moved.record.user == Array("0c1f1d5e-1f5a-4c3b-8f3e-2f6f3a1d7c55".utf8))
        #expect(clients.map(\.client.name) == ["shop"])
        #expect(clients.first?.client.logoutRedirects.map(\.text) == ["https://shop.example.com/"])
        #expect(try await stage.rows("name", of: "users WHERE status = 'locked'") == [SQLRow([.text("gone")])])
    }

    @Test("A passkey is refused where openid.passkeys is off")
    func passkeysOff() async throws {
        let stage = try await ImportStage()
        let file = try Self.realm(SoftwareAuthenticator())
        let report = try await stage.importing(
            FileImport.Source(id: "realm", kind: "keycloak") { () throws(ImportFault) in try KeycloakReader(file) }
        ).run()
        #expect(report.badLines.map(\.reason) == ["is a client of SAML", "openid.passkeys is off"])
    }
}
