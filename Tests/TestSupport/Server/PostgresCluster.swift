import CommandSupport
import Foundation
import Glibc
import Locking
package import ServerPersistencePostgreSQL

/// PostgreSQL server of the tests: a cluster of its own in a folder of its own, on a Unix socket in that folder.
///
/// The server programs refuse to run as root, so that root runs them as the account `postgres`. A shell looks after them:
/// it takes commands over a pipe, and stops the server and removes the folder when that closes, which it does also when
/// the tests are killed.
package final class PostgresCluster: Sendable {
    /// Certificate with which a server speaks TLS on loopback, as PEM.
    package struct Certificate: Sendable {
        let chain: String
        let key: String

        /// Takes the texts.
        package init(chain: String, key: String) {
            self.chain = chain
            self.key = key
        }
    }

    /// Failure of the server programs.
    package enum Failure: Error {
        case notInstalled
        case refused(command: String, output: String)
    }

    /// Cluster that all suites of this process share, one database for each test; a test that restarts a server starts one
    /// of its own.
    package static let ofProcess = Result { try PostgresCluster() }

    /// Folder of the server programs and of those for its databases.
    package static let programs = "/usr/lib/postgresql/15/bin"

    /// Folder of the Unix socket.
    package let folder: String
    /// Port on loopback for TLS, which is the number of the socket as well.
    package var port: Int { ports.numbers[0] }
    private let ports: FreePorts
    private let shell = Process()
    private let commands: FileHandle
    private let answers: FileHandle
    private let turns = Lock(0)

    /// Starts a cluster in a new folder below `parent`; `options` are settings such as `shared_buffers=512MB`.
    ///
    /// With a certificate it listens on 127.0.0.1 as well, with TLS; with `listensOnLoopback` alone without.
    package init(
        _ certificate: Certificate? = nil, listensOnLoopback: Bool = false, below parent: String = "/tmp",
        options: [String] = []
    ) throws {
        guard FileManager.default.isExecutableFile(atPath: Self.programs + "/initdb") else {
            throw Failure.notInstalled
        }
        var template = Array("\(parent)/signet-postgres-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure.refused(command: "mkdtemp", output: "\(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        ports = try FreePorts(1)
        if let certificate {
            try Data(certificate.chain.utf8).write(to: URL(filePath: folder + "/server.crt"))
            try Data(certificate.key.utf8).write(to: URL(filePath: folder + "/server.key"))
        }
        let (input, output) = (Pipe(), Pipe())
        commands = input.fileHandleForWriting
        answers = output.fileHandleForReading
        let address = certificate != nil || listensOnLoopback ? "127.0.0.1" : ""
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = [
            "-c", Self.script, "sh", folder, String(port), address, certificate == nil ? "off" : "on", Self.programs,
            Self.account ?? "", options.map { "-c \($0)" }.joined(separator: " "),
        ]
        shell.standardInput = input
        shell.standardOutput = output
        shell.standardError = FileHandle.nullDevice
        try ThreadSignals.unblocked { try shell.run() }
        try? input.fileHandleForReading.close()
        try? output.fileHandleForWriting.close()
        try expectDone("start")
    }

    deinit {
        try? commands.close()
        shell.waitUntilExit()
    }

    /// Account under which root runs the server; nil for another account, which runs it itself.
    private static var account: String? {
        guard getuid() == 0 else { return nil }
        return getpwnam("postgres") == nil ? "nobody" : "postgres"
    }

    /// Process ID of the server, the parent of its other processes; nil while it is stopped.
    package var identifier: Int32? {
        let file = FileManager.default.contents(atPath: folder + "/data/postmaster.pid") ?? Data()
        return String(decoding: file, as: UTF8.self).split(separator: "\n").first.flatMap { Int32($0) }
    }

    /// Log of the server so far.
    package var log: String {
        String(decoding: FileManager.default.contents(atPath: folder + "/log") ?? Data(), as: UTF8.self)
    }

    // MARK: - Commands

    /// Mode in which a restart stops the server, by its name for `pg_ctl`.
    package enum RestartMode: String, Sendable {
        /// In the middle of what it does, as a crash; it recovers what was committed.
        case immediate
        /// By giving up every transaction and ending every connection.
        case fast
    }

    /// Stops the server and starts it again.
    package func restart(_ mode: RestartMode = .immediate) throws { try command("restart \(mode.rawValue)") }

    /// Stops the server in the middle of what it does.
    package func stop() throws { try command("stop") }

    /// Starts the server again.
    package func start() throws { try command("start") }

    /// Holds all processes of the server where they are (SIGSTOP): the kernel still takes connections, and no answer comes.
    package func hold() { signal(SIGSTOP) }

    /// Lets the processes of the server go on.
    package func release() { signal(SIGCONT) }

    /// The server first, which makes no further processes then.
    private func signal(_ number: Int32) {
        guard let identifier else { return }
        kill(identifier, number)
        let file = FileManager.default.contents(atPath: "/proc/\(identifier)/task/\(identifier)/children") ?? Data()
        for child in String(decoding: file, as: UTF8.self).split(separator: " ") {
            if let child = Int32(child) { kill(child, number) }
        }
    }

    /// Creates a database, as a copy of `template`.
    package func createDatabase(_ name: String, template: String = "template1") throws {
        try command("create \(name) \(template)")
    }

    /// Removes a database, and ends the connections to it.
    package func dropDatabase(_ name: String) throws { try command("drop \(name)") }

    /// Runs a statement as the owner of the cluster.
    package func run(_ sql: String) throws { try command("sql \(sql)") }

    /// A name that no other database of the cluster has.
    package func freshName() -> String {
        let turn = turns.withLock { turn in
            turn += 1
            return turn
        }
        return "test_\(turn)"
    }

    /// Address of a database over the Unix socket.
    package func settings(_ database: String) -> PostgreSQLSettings {
        var settings = PostgreSQLSettings(host: folder, port: port, database: database, user: "signet")
        settings.readerCount = 2
        return settings
    }

    private func command(_ line: String) throws {
        try turns.withLock { _ in
            try commands.write(contentsOf: Data((line + "\n").utf8))
            try expectDone(line)
        }
    }

    private func expectDone(_ command: String) throws {
        var output: [UInt8] = []
        while let octet = try answers.read(upToCount: 1)?.first, octet != UInt8(ascii: "\n") { output.append(octet) }
        let answer = String(decoding: output, as: UTF8.self)
        guard answer == "done" else { throw Failure.refused(command: command, output: answer) }
    }

    /// Arguments: folder, port, address, TLS, folder of the programs, account or nothing, further options.
    private static let script = """
        trap '' INT TERM HUP
        folder=$1 port=$2 address=$3 tls=$4 bin=$5 account=$6 more=$7
        as() {
            if [ -n "$account" ]; then setpriv --reuid="$account" --regid="$account" --clear-groups "$@" </dev/null
            else "$@" </dev/null; fi
        }
        [ -z "$account" ] || chown -R "$account" "$folder"
        [ ! -e "$folder/server.key" ] || chmod 600 "$folder/server.key"
        cd "$folder"
        options="-k $folder -p $port -c listen_addresses='$address' -c ssl=$tls -c max_connections=300"
        options="$options -c ssl_cert_file=$folder/server.crt -c ssl_key_file=$folder/server.key"
        options="$options -c deadlock_timeout=100ms -c shared_buffers=32MB -c wal_level=minimal -c max_wal_senders=0 $more"
        start() { as "$bin/pg_ctl" -D "$folder/data" -l "$folder/log" -o "$options" -w start >>"$folder/out" 2>&1; }
        stop() { as "$bin/pg_ctl" -D "$folder/data" -m "$1" stop >>"$folder/out" 2>&1; }
        sql() { as "$bin/psql" -h "$folder" -p "$port" -U signet -d postgres -q -c "$1" >>"$folder/out" 2>&1; }
        answer() { if [ "$1" -eq 0 ]; then echo done; else tail -n 3 "$folder/out" | tr '\n' ' '; echo; fi; }
        as "$bin/initdb" --no-sync -D "$folder/data" -A trust -U signet -E UTF8 --no-locale >>"$folder/out" 2>&1 && start
        answer $?
        while read -r word rest; do
            case $word in
                start) start ;;
                stop) stop immediate ;;
                restart) stop "$rest"; start ;;
                create) sql "CREATE DATABASE ${rest% *} TEMPLATE ${rest#* }" ;;
                drop) sql "DROP DATABASE IF EXISTS $rest WITH (FORCE)" ;;
                sql) sql "$rest" ;;
            esac
            answer $?
        done
        stop immediate
        rm -rf "$folder"
        """
}
