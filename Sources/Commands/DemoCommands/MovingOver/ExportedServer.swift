import CommandSupport
import Foundation

/// Export of a server that is left: users, phones and keys as JSON Lines, read from its database by a few lines of Python, as
/// an operator writes them for whatever database there is.
struct ExportedServer {
    /// Users beside the ones of the database, with a key each, so that there are as many lines as in a real move.
    let strangers: Int
    let database: URL
    let python: URL

    /// Writes the lines into a file; the objects of one user follow each other.
    func write(to file: URL, in folder: URL) async throws {
        let script = folder.appending(path: "export.py")
        try Data(Self.script.utf8).write(to: script)
        let process = try ChildProcess(
            python, ["-B", script.path(), database.path(), String(strangers), file.path()], folder: folder,
            name: "export")
        let ending = await process.ending()
        guard ending.code == 0 else { throw CommandFailure.local("ExportFailed", ending.complaints) }
    }

    /// Keys of users who do not take part are points of the curve, one after the other.
    private static let script = """
        import base64, json, sqlite3, sys

        def text(octets):
            return base64.urlsafe_b64encode(octets).decode().rstrip("=")

        database, strangers, target = sqlite3.connect(sys.argv[1]), int(sys.argv[2]), open(sys.argv[3], "w")

        def write(**members):
            target.write(json.dumps({name: value for name, value in members.items() if value is not None}) + "\\n")

        for user, name, external in database.execute("SELECT id, name, external_id FROM users").fetchall():
            write(type="user", name=name, extId=external)
            for row in database.execute(
                "SELECT id, external_id, device_id, name, dispatcher, destination, signature_key, encryption_key "
                "FROM dispatch_targets WHERE user_id = ?", [user]
            ).fetchall():
                write(
                    type="device", user=external, id=text(row[0]), extId=text(row[1]), deviceId=row[2], name=row[3],
                    dispatcher=row[4], target=row[5], signingKey=json.loads(row[6]),
                    encryptionKey=json.loads(row[7]) if row[7] else None)
            for row in database.execute(
                "SELECT aaid, key_id, public_key, public_key_format, algorithm, sign_counter, registration_counter, "
                "authenticator_version, dispatch_target_id FROM credentials WHERE user_id = ?", [user]
            ).fetchall():
                write(
                    type="credential", user=external, aaid=row[0], keyId=text(row[1]), publicKey=text(row[2]),
                    publicKeyFormat=row[3], algorithm=row[4], signCounter=row[5], registrationCounter=row[6],
                    authenticatorVersion=row[7], device=text(row[8]) if row[8] else None)

        prime = 2**256 - 2**224 + 2**192 + 2**96 - 1
        base = (
            0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
            0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)

        def add(one, other):
            if one == other:
                slope = 3 * (one[0] ** 2 - 1) * pow(2 * one[1], -1, prime)
            else:
                slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, prime)
            x = (slope * slope - one[0] - other[0]) % prime
            return x, (slope * (one[0] - x) - one[1]) % prime

        prefix = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
        point = base
        for number in range(strangers):
            point = add(point, base)
            octets = prefix + b"".join(part.to_bytes(32, "big") for part in point)
            write(type="user", name="user-%d" % number, extId="ext-%d" % number)
            write(
                type="credential", user="ext-%d" % number, aaid="F1D0#1001", keyId=text(number.to_bytes(32, "big")),
                publicKey=text(octets), publicKeyFormat=257, algorithm=2)
        target.close()

        """
}
