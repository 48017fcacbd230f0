/// Meaning of each metric of the server, for the `# HELP` lines.
///
/// A metric of this process that is not listed gets no such line; a test compares the list with the sources and with
/// `docs/web/http-api.md`.
enum MetricHelp {
    static let texts: [String: String] = [
        "process_cpu_seconds_total": "Seconds of a processor that this process has used, for itself and in the system.",
        "process_max_fds": "Files and sockets that this process may have open.",
        "process_open_fds": "Files and sockets that this process has open.",
        "process_resident_memory_bytes": "Memory that this process has at the moment.",
        "process_start_time_seconds": "Start of this process, in seconds since 1970.",
        "signet_application_versions_total":
            "Responses that were accepted from a version of an application, as the application says; \"other\" for versions that the configuration does not name.",
        "signet_audit_breaks_total": "Places of the audit that this server has found changed or damaged.",
        "signet_build_info": "The version of this server; the value is always 1.",
        "signet_certificate_not_after_seconds":
            "End of the certificate that a listener serves, or of one sent with it that ends earlier, in seconds since 1970.",
        "signet_device_requests_refused_total": "Requests signed by a device that were refused, by the reason.",
        "signet_dispatches_total": "Ceremonies that were sent to a phone, by way and result.",
        "signet_finding":
            "Findings about a subject (id) of a weight (severity); \"signet-server doctor\" has their words and what helps.",
        "signet_http_request_seconds": "Time from a request to its answer.",
        "signet_http_requests_total": "Requests that were answered, by HTTP status.",
        "signet_last_sign_in_seconds":
            "The last sign-in that this process has accepted, in seconds since 1970; 0 before the first.",
        "signet_log_lines_dropped_total": "Lines that are missing in the log because its reader was too slow.",
        "signet_outgoing_dead_total": "Messages to other systems that were given up.",
        "signet_outgoing_due": "Messages to other systems whose next try is due.",
        "signet_outgoing_seconds": "Time that a try to deliver a message took.",
        "signet_outgoing_tries_total": "Tries to deliver a message to another system, by kind and result.",
        "signet_passkey_answers_total":
            "Answers of passkeys, by operation and result: accepted, or the step of the standard that refuses.",
        "signet_process_messages_dropped_total":
            "Messages to other servers on this database that were dropped because a queue was full.",
        "signet_queue_depth": "Requests that wait in a queue.",
        "signet_queue_shed_total": "Requests that were refused from a queue under load, by the reason.",
        "signet_queue_wait_seconds": "Time that a request has waited in a queue.",
        "signet_status_wakeups_total":
            "Waiting requests for a status that a change has answered, by the process that made the change.",
        "signet_uaf_status_total": "Answers with a UAF status code, by the code.",
    ]
}
