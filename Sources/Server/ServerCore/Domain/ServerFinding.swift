/// Something about an installation that an operator should know.
///
/// Health, metrics and `signet-server doctor` have the same findings.
package struct ServerFinding: Sendable, Hashable {
    /// Weight of a finding, from the least.
    package enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
        /// It works, and this is worth knowing.
        case note
        /// It works, but an operator should look at it.
        case warning
        /// It does not work.
        case down

        package static func < (one: Severity, other: Severity) -> Bool {
            allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
        }
    }

    package let subject: Subject
    package let severity: Severity
    /// The finding with its figures, in one sentence or several.
    package let text: String

    package init(_ subject: Subject, _ severity: Severity, _ text: String) {
        self.subject = subject
        self.severity = severity
        self.text = text
    }

    package static func note(_ subject: Subject, _ text: String) -> ServerFinding { .init(subject, .note, text) }
    package static func warning(_ subject: Subject, _ text: String) -> ServerFinding { .init(subject, .warning, text) }
    package static func down(_ subject: Subject, _ text: String) -> ServerFinding { .init(subject, .down, text) }

    /// Name of the subject in health, metrics and documents, such as `disk`.
    package var id: String { subject.rawValue }

    package var remedy: String { subject.remedy }
}

extension ServerFinding {
    /// Subject that is looked at; each is a part of the health.
    ///
    /// `docs/operate/doctor.md` has the same list.
    package enum Subject: String, Sendable, Hashable, CaseIterable {
        case database, migrations, keys, clock, certificates, audit, processes, log, configuration, address, disk,
            backup, policies
        case push, outgoing, subscribers, descriptors
        case restoredCopy = "restored-copy"
        case integrity, server
    }
}

extension ServerFinding.Subject {
    /// Meaning of a finding about it.
    package var meaning: String {
        switch self {
        case .database: "down: the last write failed, because the disk is full or fails, or nothing answers"
        case .migrations:
            "note: an index is still to be built, which a server does while it serves; warning: building it has failed"
        case .keys: "down: the master key does not open the keys; warning: its file is gone, or others can read it"
        case .clock: "warning: the clock of the machine jumped, or differs from the database or from another process"
        case .certificates:
            "warning: a certificate that is served, or one sent with it, has ended or ends within 21 days (within the last third "
                + "of its time where that is shorter)"
        case .audit: "warning: records were changed, cut off or cannot be read; subscribers step over them"
        case .processes: "note: how many servers share the database, and which one leads the maintenance"
        case .log: "down: the reader of the log on standard error has stopped reading"
        case .configuration:
            "warning: a mistake in the files, which are not taken up (down where no server runs), or an unwise setting; note: a setting "
                + "waits for a restart, or suits some networks only"
        case .address:
            "warning: the server is not found under its own public address, or shows another certificate there"
        case .disk:
            "warning: the disk of the data is nearly full: 256 MiB are left, or a twentieth and less than 10 GiB"
        case .backup: "warning: the last backup is older than 8 days; note: none was written by this program"
        case .policies: "warning: some users have keys of models that no policy accepts"
        case .push: "warning: the last push message was not taken"
        case .outgoing: "warning: messages to other systems (webhooks, CIBA, logout) fail, or were given up"
        case .subscribers: "warning: a subscriber of the audit is 1,000 records behind, or has not moved for 10 minutes"
        case .descriptors: "warning: four fifths of the files that the process may open are open"
        case .restoredCopy:
            "down, or a warning while the server runs: the database is an older copy, and has forgotten what was used since"
        case .integrity: "down: the pages of the database file are damaged (only with --integrity)"
        case .server: "note: no server runs here; down: one runs, and does not answer"
        }
    }

    /// Remedy, in words that are true for each finding about it.
    package var remedy: String {
        switch self {
        case .database:
            "free space or repair; the server tries a write every second and recovers by itself. The log says what it is"
        case .migrations:
            "nothing; after a failure the server tries again every minute, and the sentence says what it was"
        case .keys: "put the right file back with mode 0600; one that is lost: \"keys replace --lost-master-key\""
        case .clock:
            "put the clock right (NTP); \"keys replace\" sets the times in the database right at once"
        case .certificates: "renew it; new files need no restart. SIGHUP makes the server's own certificate anew"
        case .audit: "\"audit verify\" names all places; look for who writes to the database"
        case .processes: "nothing; where fewer run than should, look at the others"
        case .log: "repair the reader; requests continue, and lines beyond 1 MiB are counted and left out"
        case .configuration: "the sentence says what to change; \"config check\" has them all"
        case .address:
            "look at DNS, firewall and proxy. A proxy's certificate belongs into fido-uaf.channel-binding.certificate-files. Where "
                + "a machine cannot reach its public address, name it in /etc/hosts"
        case .disk: "free space, or move the data to a larger disk"
        case .backup: "run \"backup FILE --replace\" each night"
        case .policies: "add the models to a policy, or have these users register again"
        case .push: "\"doctor --push USER\" tries again; look at the account and at the way to the push service"
        case .outgoing:
            "repair the receiver; \"outgoing list --dead\" has what was given up, \"outgoing retry\" tries again"
        case .subscribers: "look for its errors in the log; \"audit forget NAME\" for one that is gone for good"
        case .descriptors: "raise LimitNOFILE= of the service, or lower server.max-connections"
        case .restoredCopy: "put the right database back, or run \"keys replace\" before the start"
        case .integrity: "stop the server and restore a backup"
        case .server: "start it with \"serve\", or name its port with --management-port"
        }
    }
}
