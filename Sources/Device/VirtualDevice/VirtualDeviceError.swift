package import MobileAuthentication

/// Why a virtual device cannot be made or used.
@nonexhaustive
package enum VirtualDeviceError: Error, Sendable {
    /// The folder holds no device: make one first.
    case notInitialized
    /// The folder holds a device already: choose another folder.
    case alreadyInitialized
    /// The device was made by another version of this program: delete the folder and make the device again.
    case outdated
    /// The bundle identifier is empty, longer than 255 bytes, or has characters other than letters, digits, `-` and `.`.
    case invalidBundleID
    /// The hash of the signing certificate is not a SHA-1 in Base64 without padding (27 characters).
    case invalidKeyHash
    /// A Linux application cannot be named from outside: leave the name away.
    case fixedApplication
    /// Another process works with the device, for more than ten seconds.
    case busy
    /// Others may read the folder: take the rights away from group and others.
    case exposed
    /// The operating system refused; the number is its `errno`.
    case storageFailed(code: Int32)
    /// The keys cannot be opened.
    case unusableKeys(any Error)
    /// The client cannot be made.
    case client(InitializationError)
}
