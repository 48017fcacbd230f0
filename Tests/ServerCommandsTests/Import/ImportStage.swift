import BackendAPI
import JOSE
import Octets
import OpenID
import ServerAdministration
import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import UAF
import UAFService

/// A server without users that knows a model, and phones of another server.
struct ImportStage {
    let phone: SyntheticAuthenticator
    let device: SyntheticDevice
    let server: TestServer
    private let settings: OpenIDSettings

    init(settings: OpenIDSettings = OpenIDSettings(), phone: SyntheticAuthenticator? = nil) async throws {
        let phone = try phone ?? SyntheticAuthenticator()
        self.phone = phone
        device = try SyntheticDevice()
        server = try await TestServer(authenticators: [phone])
        self.settings = settings
    }

    /// A second process on the database of another stage.
    init(beside other: ImportStage) async throws {
        (phone, device, settings) = (other.phone, other.device, other.settings)
        server = try await TestServer(authenticators: [phone], store: .of(other.server))
    }

    var sites: OpenIDServer {
        OpenIDServer(server.services, transactions: server.openID, settings: settings)
    }

    func importing(_ source: FileImport.Source, batchSize: Int = 3) -> FileImport {
        FileImport(source, into: sites, batchSize: batchSize)
    }

    func imported(_ objects: [JSONObject], id: String = "file") async throws -> FileImport.Report {
        try await importing(.lines(objects, id: id)).run()
    }

    // MARK: - Objects

    static func user(_ name: String, _ more: JSONObject = [:]) -> JSONObject {
        JSONObject(distinct: [.init("type", .string("user")), .init("name", .string(name))] + more.members)
    }

    /// The phone of a user, with an identifier of the form of this server.
    func deviceLine(of user: String, id: String = "AAAAAAAAAAAAAAAAAAAAAA", _ more: JSONObject = [:]) throws
        -> JSONObject
    {
        JSONObject(
            distinct: [
                .init("type", .string("device")), .init("user", .string(user)), .init("id", .string(id)),
                .init("name", .string("phone \(id)")), .init("deviceId", .string(device.id.text)),
                .init("target", .string("push-token")), .init("dispatcher", .string("firebase-cloud-messaging")),
                .init("signingKey", try JSONParser.parse(device.signatureKey.json)),
                .init("encryptionKey", try JSONParser.parse(device.encryptionKey.json)),
            ] + more.members)
    }

    /// A key of a user, by default the one of the phone.
    func credentialLine(
        of user: String, on device: String? = nil, _ authenticator: SyntheticAuthenticator? = nil, key: [UInt8]? = nil
    ) throws -> JSONObject {
        let authenticator = authenticator ?? phone
        return [
            "type": .string("credential"), "user": .string(user), "aaid": .string(authenticator.aaid.text),
            "keyId": .string(Base64URL.encode(authenticator.keyID)),
            "publicKey": .string(Base64URL.encode(try key ?? authenticator.key.publicKey(authenticator.format))),
            "publicKeyFormat": .integer(authenticator.format.rawValue),
            "algorithm": .integer(authenticator.algorithm.rawValue), "authenticatorVersion": .integer(1),
            "device": device.map { .string($0) },
        ]
    }

    // MARK: - The database

    /// Rows of a table, by these columns.
    func rows(_ columns: String, of table: String) async throws -> [SQLRow] {
        try await server.database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT \(columns) FROM \(table) ORDER BY 1", [])
        }
    }

    func counts() async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in ["users", "user_aliases", "dispatch_targets", "credentials", "passkeys", "clients", "imports"] {
            counts[table] = try await rows("1", of: table).count
        }
        return counts.filter { $0.value > 0 }
    }
}
