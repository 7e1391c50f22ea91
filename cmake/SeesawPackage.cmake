# `make deb`: a Debian package of the program with completion scripts, man pages and docs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME seesaw)
set(CPACK_PACKAGE_VENDOR "seesaw")
set(CPACK_PACKAGE_CONTACT "seesaw maintainers <maintainers@seesaw.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "train linear models with certified duality gaps")
string(CONCAT CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "Trains SVM, logistic, softmax and regression models with l2, l1 or elastic-net penalties by\n"
  "primal-dual methods. Each fit has a certificate that bounds its distance from the optimum,\n"
  "and `seesaw verify` checks it independently.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program)  # not the library
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME seesaw)
set(CPACK_DEBIAN_PROGRAM_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # Depends: by dpkg-shlibdeps
include(CPack)
