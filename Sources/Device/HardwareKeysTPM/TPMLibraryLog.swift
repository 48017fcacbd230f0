import Glibc

/// The log of the TPM2 software stack, which writes every refusal of a chip to the standard error: also a wrong PIN.
public enum TPMLibraryLog {
    /// Silences it, unless the environment says what is to be logged (`TSS2_LOG`).
    ///
    /// To be called by a program at its start, before it has a second thread: the library knows no other way than the
    /// environment of the process.
    public static func silence() { setenv("TSS2_LOG", "all+NONE", 0) }
}
